"""Checks that no dictionary of anything crosses a border of the process, for ``make lint-style``.

Usage: python tools/typed_border.py [PATH ...]

What leaves or enters the process as JSON is one of the types in ``cantstop.wire``. A ``dict[str,
Any]`` says nothing of its keys, so each reader would have to find them out. A ``Mapping[str,
object]`` is allowed: nothing can be done with its values before they are checked. A dictionary
that is written down where JSON is made has no type at all, so it is found too.
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
    "engine/evaluators/errors.py": "a file of its own",
    "engine/evaluators/value/file.py": "headers of its own binary files",
    "engine/evaluators/value/packed.py": "headers of its own binary files",
    "engine/module.py": "exports of a WebAssembly module",
    "kernel/fields.py": "fields of NumPy records",
    "kernel/records.py": "fields of NumPy records",
    "review/game.py": "attributes to be pickled",
    "rl": "the interfaces of Gymnasium, PettingZoo and OpenSpiel",
    "server/database/backup.py": "rows of any revision of the database",
    "server/http/transport.py": "the scope of ASGI",
    "server/ops/logs.py": "the configuration of the standard library's logging, and its records",
    "server/run.py": "the configuration of uvicorn",
    "solver/table.py": "headers of its own binary files",
    "wire/events.py": "the codec",
    "wire/schema.py": "JSON Schema, as msgspec makes it",
}
"""Where such dictionaries are another's interface, and whose."""

_CHANGEABLE = ("dict", "Dict", "defaultdict", "DefaultDict", "OrderedDict", "MutableMapping")
_READ_ONLY = ("Mapping", "ChainMap", "Counter")
_OF_MANY = ("list", "tuple", "set", "Sequence", "Iterable", "Optional", "Union", "ClassVar")
_WRITERS = ("dump", "dumps", "encode", "JSONResponse", "answer")


def untyped(source: str) -> list[int]:
    """The lines with a dictionary that says nothing of its values."""
    return sorted(set(_found(_with_quoted_types(ast.parse(source)))))


def _found(tree: ast.AST) -> Iterator[int]:
    subscripted = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Subscript)}
    for node in ast.walk(tree):
        match node:
            case ast.Subscript(kind, ast.Tuple([_, value])):
                if _is_vague(value, _vague_for(_name(kind))):
                    yield node.lineno
            case ast.Call(func, arguments) if _name(func) in _WRITERS:
                if any(isinstance(given, ast.Dict | ast.DictComp) for given in arguments):
                    yield node.lineno
        for annotation in _annotations(node):
            for part in ast.walk(annotation):
                if _name(part) in _CHANGEABLE and id(part) not in subscripted:
                    yield part.lineno  # type: ignore[attr-defined] # an expression has it


def _vague_for(kind: str) -> tuple[str, ...]:
    """The names of values that a kind of dictionary may not have."""
    if kind in _CHANGEABLE:
        return "Any", "object"
    return ("Any",) if kind in _READ_ONLY else ()


def _is_vague(value: ast.expr, names: tuple[str, ...]) -> bool:
    """Whether a type is one of these names, a union with one, or a list of such values."""
    match value:
        case ast.BinOp(one, _, other):
            return _is_vague(one, names) or _is_vague(other, names)
        case ast.Subscript(kind, ast.Tuple(parts)) if _name(kind) in _OF_MANY:
            return any(_is_vague(part, names) for part in parts)
        case ast.Subscript(kind, part) if _name(kind) in _OF_MANY:
            return _is_vague(part, names)
    return _name(value) in names


def _name(node: ast.AST) -> str:
    """The last name of an expression: ``Any`` of ``typing.Any``."""
    match node:
        case ast.Name(name) | ast.Attribute(attr=name):
            return name
    return ""


def _annotations(node: ast.AST) -> Iterator[ast.expr]:
    """The types that stand at a node, and what a name is given that may be one."""
    match node:
        case ast.arg(annotation=ast.expr() as found) | ast.AnnAssign(annotation=found):
            yield found
        case ast.FunctionDef(returns=ast.expr() as found):
            yield found
        case ast.AsyncFunctionDef(returns=ast.expr() as found):
            yield found
        case ast.Assign(value=ast.Name() | ast.Attribute() | ast.BinOp() as found):
            yield found
        case ast.Subscript(slice=found):
            yield found


class _Unquoted(ast.NodeTransformer):
    """Reads the types that stand in quotes."""

    def visit_Constant(self, node: ast.Constant) -> ast.AST:
        if isinstance(node.value, str) and "\n" not in node.value:
            try:
                found = ast.parse(node.value, mode="eval").body
            except (SyntaxError, ValueError):
                return node
            is_type = isinstance(found, ast.Subscript | ast.BinOp) or _name(found) in _TYPES
            if is_type:
                for part in ast.walk(found):
                    ast.copy_location(part, node)
                return found
        return node


_TYPES = (*_CHANGEABLE, *_READ_ONLY, "Any")


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
