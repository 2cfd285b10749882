"""Checks that no dictionary of anything crosses a border of the process, for ``make lint-style``.

Usage: python tools/typed_border.py [PATH ...]

What leaves or enters the process as JSON is one of the types in ``cantstop.wire``. A ``dict[str,
Any]`` says nothing of its keys, so each reader would have to find them out. A ``Mapping[str,
object]`` is allowed: nothing can be done with its values before they are checked.
"""

import ast
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src" / "cantstop"

FOREIGN = {
    "cli/parser.py": "arguments of functions, by their names",
    "cpp.py": "the globals of functions",
    "engine": "headers of its own binary files, and exports of a WebAssembly module",
    "kernel": "fields of NumPy records",
    "solver": "headers of its own binary files",
    "language/translator.py": "fields of sentences",
    "review": "fields of sentences, and attributes to be pickled",
    "rl": "the interfaces of Gymnasium, PettingZoo and OpenSpiel",
    "server/http/transport.py": "the scope of ASGI",
    "server/ops/logs.py": "the configuration of the standard library's logging",
    "server/run.py": "the configuration of uvicorn",
    "wire/events.py": "the codec",
    "wire/schema.py": "JSON Schema, as msgspec makes it",
}
"""Where such dictionaries are another's interface, and whose."""

_UNTYPED = ("Any", "object")


def untyped(source: str) -> Iterator[int]:
    """The lines with the type of a dictionary that says nothing of its values."""
    for node in ast.walk(_with_quoted_types(ast.parse(source))):
        match node:
            case ast.Subscript(
                ast.Name("dict" | "MutableMapping"), ast.Tuple([_, ast.Name(value)])
            ) if value in _UNTYPED:
                yield node.lineno
            case ast.Subscript(ast.Name("Mapping"), ast.Tuple([_, ast.Name("Any")])):
                yield node.lineno
            case ast.arg(annotation=ast.Name("dict")) | ast.AnnAssign(annotation=ast.Name("dict")):
                yield node.lineno
            case ast.FunctionDef(returns=ast.Name("dict")):
                yield node.lineno


class _Unquoted(ast.NodeTransformer):
    """Reads the types that stand in quotes."""

    def visit_Constant(self, node: ast.Constant) -> ast.AST:
        if isinstance(node.value, str) and "[" in node.value and "\n" not in node.value:
            try:
                found = ast.parse(node.value, mode="eval").body
            except (SyntaxError, ValueError):
                return node
            is_type = isinstance(found, ast.Subscript | ast.BinOp)
            return ast.copy_location(found, node) if is_type else node
        return node


def _with_quoted_types(tree: ast.Module) -> ast.AST:
    found: ast.AST = _Unquoted().visit(tree)
    return found


def check(paths: Iterable[Path]) -> list[str]:
    """One line for each place that is not typed."""
    found = []
    for path in paths:
        name = path.relative_to(SOURCE).as_posix() if path.is_relative_to(SOURCE) else path.name
        if not any(name == one or name.startswith(f"{one}/") for one in FOREIGN):
            lines = untyped(path.read_text("utf-8"))
            found += [f"{path}:{line}: a dictionary of anything: give it a type" for line in lines]
    return found


def main() -> None:
    """Check the given files, or all of the package."""
    paths = [Path(name) for name in sys.argv[1:]] or sorted(SOURCE.rglob("*.py"))
    found = check(paths)
    print("\n".join(found), end="\n" if found else "")
    sys.exit(bool(found))


if __name__ == "__main__":
    main()
