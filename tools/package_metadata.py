"""The package's links, as an index shows them: made from the one place that says where its home is.

``[tool.cantstop] home`` in pyproject.toml is the address of the repository on a forge. From it come
the project's URLs, and the README's links to files, which an index could not follow otherwise.
Without a home there are no URLs, and links stay as they are; the release job refuses that.
"""

import ast
import re
import tomllib
from pathlib import Path
from typing import Any

from hatchling.metadata.plugin.interface import MetadataHookInterface

ROOT = Path(__file__).parent.parent

_LINK = re.compile(r'(?P<before>\]\(|\b(?:src|href)=")(?P<target>[^)"#:\s]+)(?=[)"#])')
"""A target in Markdown or HTML that is a path: not an address, and not a place on the same page."""

_PICTURES = (".webp", ".png", ".svg", ".gif")


def home(root: Path = ROOT) -> str:
    """The address of the repository, or nothing."""
    settings = tomllib.loads((root / "pyproject.toml").read_text("utf-8"))
    found: str = settings["tool"]["cantstop"]["home"]
    return found.rstrip("/")


def version(root: Path = ROOT) -> str:
    """The package's version, read without importing it."""
    tree = ast.parse((root / "src/cantstop/__init__.py").read_text("utf-8"))
    (found,) = (
        ast.literal_eval(node.value)
        for node in tree.body
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__version__"
    )
    return str(found)


def urls(home: str) -> dict[str, str]:
    """The project's links."""
    if not home:
        return {}
    return {
        "Homepage": home,
        "Documentation": f"{home}/blob/main/docs/index.md",
        "Changelog": f"{home}/blob/main/CHANGELOG.md",
        "Issues": f"{home}/issues",
        "Source": home,
    }


def with_absolute_links(text: str, home: str, version: str) -> str:
    """The README with links to the files of this version."""
    if not home:
        return text

    def absolute(found: re.Match[str]) -> str:
        kind = "raw" if found["target"].endswith(_PICTURES) else "blob"
        return f"{found['before']}{home}/{kind}/v{version}/{found['target']}"

    return _LINK.sub(absolute, text)


class LinksHook(MetadataHookInterface):
    """Lets the build backend write the links into the package's metadata."""

    def update(self, metadata: dict[str, Any]) -> None:
        """Called by hatchling before each build."""
        root = Path(self.root)
        text = (root / "README.md").read_text("utf-8")
        metadata["readme"] = {
            "content-type": "text/markdown",
            "text": with_absolute_links(text, home(root), version(root)),
        }
        metadata["urls"] = urls(home(root))
