"""The files that make it a project: workflows, citation, the way into contributing."""

import ast
import re
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml

import cantstop
from lowest_versions import lowest_versions
from package_metadata import home, urls, version, with_absolute_links

ROOT = Path(__file__).parents[1]
WORKFLOWS = sorted((ROOT / ".github/workflows").glob("*.yml"))
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
MAKE = (ROOT / "Makefile").read_text("utf-8")


PINNED = re.compile(r"uses: +([\w/.-]+)@([0-9a-f]{40}) # v\d+\.\d+\.\d+$")
"""An action by its commit, which nobody can move, and the version that it is."""

COME_WITH = {"llvmlite": "numba", "pydantic_core": "pydantic", "pyspiel": "open_spiel"}
"""Modules that come with another dependency, in the version that it asks for."""


def steps(workflow: dict[str, Any]) -> list[dict[str, Any]]:
    return [step for job in workflow["jobs"].values() for step in job.get("steps", [])]


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.stem)
def test_a_workflow_may_no_more_than_it_needs_and_uses_actions_by_commit(path: Path) -> None:
    text = path.read_text("utf-8")
    workflow = yaml.safe_load(text)
    assert workflow["permissions"] == {"contents": "read"}
    allowed = [job.get("permissions", {}) for job in workflow["jobs"].values()]
    assert all(set(one) <= {"id-token"} for one in allowed)
    assert all("timeout-minutes" in job for job in workflow["jobs"].values() if "uses" not in job)
    used = [line for line in text.splitlines() if "uses: " in line and "uses: ./" not in line]
    assert all(PINNED.search(line) for line in used)
    for step in steps(workflow):
        assert ("uses" in step) != ("run" in step)
        for target in re.findall(r"\bmake ([\w -]+)", step.get("run", "")):
            assert all(f"\n{name}:" in MAKE for name in target.split())
        for tested in re.findall(r"\btests/[\w./]+", step.get("run", "")):
            assert (ROOT / tested).exists()


def test_every_python_that_we_promise_is_tried() -> None:
    check = yaml.safe_load((ROOT / ".github/workflows/check.yml").read_text("utf-8"))
    tried = check["jobs"]["linux"]["strategy"]["matrix"]["python"]
    promised = [
        found[1]
        for one in PROJECT["classifiers"]
        if (found := re.fullmatch(r"Programming Language :: Python :: (3\.\d+)", one))
    ]
    assert tried == promised
    assert PROJECT["requires-python"] == f">={promised[0]}"


def test_nothing_is_published_that_has_not_passed_all_checks() -> None:
    jobs = yaml.safe_load((ROOT / ".github/workflows/release.yml").read_text("utf-8"))["jobs"]
    check = yaml.safe_load((ROOT / ".github/workflows/check.yml").read_text("utf-8"))
    assert jobs["publish"]["needs"] == "build"
    assert jobs["build"]["needs"] == "check"
    assert jobs["check"]["uses"] == "./.github/workflows/check.yml"
    assert "workflow_call" in check[True]  # YAML reads “on” as true


def test_what_builds_the_package_is_pinned() -> None:
    """A constraints file pins a build's requirements only where these variables name it."""
    built = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["build-system"]["requires"]
    pinned = (ROOT / "constraints.txt").read_text("utf-8").lower()
    assert all(f"\n{re.split('>=', one)[0]}==" in pinned for one in built)
    for path in (*WORKFLOWS, ROOT / "Makefile", ROOT / "deploy/Dockerfile"):
        text = path.read_text("utf-8")
        assert "PIP_CONSTRAINT" in text, path
        assert "PIP_BUILD_CONSTRAINT" in text, path


def test_every_library_that_is_imported_is_a_dependency_with_a_bound() -> None:
    imported = {
        name.partition(".")[0]
        for path in (ROOT / "src").rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        for name in (
            [alias.name for alias in node.names]
            if isinstance(node, ast.Import)
            else [node.module or ""]
            if isinstance(node, ast.ImportFrom)
            else []
        )
    } - {"cantstop", ""}
    libraries = {COME_WITH.get(name, name) for name in imported - sys.stdlib_module_names}
    bounds = {name.replace("-", "_") for name in lowest_versions()}
    assert libraries <= bounds
    wanted = [
        one
        for extra, found in PROJECT["optional-dependencies"].items()
        for one in found
        if extra != "dev" and not one.startswith(PROJECT["name"])
    ]
    assert all(re.match(r"[\w.-]+(\[\w+\])?>=\d[\d.]*(,<\d+)?(;|$)", one) for one in wanted)


def test_every_address_of_the_project_follows_from_its_home() -> None:
    site = (ROOT / "mkdocs.yml").read_text("utf-8")
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text("utf-8"))
    repository = re.search(r"^repo_url: (.*)$", site, re.MULTILINE)
    assert (repository[1] if repository else "") == home()
    assert citation.get("repository-code", "") == home()
    assert all(url.startswith(home()) for url in urls(home()).values())
    assert bool(urls(home())) == bool(home())


def test_the_readme_on_an_index_links_to_the_files_of_its_version() -> None:
    text = (ROOT / "README.md").read_text("utf-8")
    paths = re.findall(r"\]\(([^)#]+)|src=\"([^\"]+)\"", text)
    targets = {first or second for first, second in paths}
    assert len(targets) > 20
    assert all((ROOT / target).exists() for target in targets), "all links of the README are paths"
    shown = with_absolute_links(text, "https://forge.example/owner/name", "1.2")
    for target in targets:
        kind = "raw" if target.endswith(".webp") else "blob"
        assert f"https://forge.example/owner/name/{kind}/v1.2/{target}" in shown
    assert not re.search(r"\]\((?!https:)|src=\"(?!https:)", shown)
    assert with_absolute_links(text, "", "1.2") == text


def test_the_metadata_have_the_version_of_the_package() -> None:
    assert version() == cantstop.__version__


def test_the_citation_is_of_this_version() -> None:
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text("utf-8"))
    assert citation["cff-version"] == "1.2.0"
    assert citation["version"] == cantstop.__version__
    assert citation["license"] == PROJECT["license"]
    assert set(citation) >= {"title", "message", "authors"}


@pytest.mark.parametrize("page", ["CONTRIBUTING.md", "SECURITY.md", "docs/releasing.md"])
def test_what_a_page_refers_to_exists(page: str) -> None:
    text = (ROOT / page).read_text("utf-8")
    for path in re.findall(r"\b((?:src|tests|docs)/[\w./]*\w|[A-Z]+\.md)", text):
        assert (ROOT / path).exists(), path
    for target in re.findall(r"`?\bmake ([a-z][a-z-]+)(?: |`|\n)", text):
        assert f"\n{target}:" in MAKE, target


def test_the_fast_tier_runs_tests_that_are_there() -> None:
    command = ["make", "--dry-run", "check-tests"]
    printed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    paths = re.findall(r"\btests/[\w./]+", printed)
    ground = {"tests/rules", "tests/record", "tests/odds", "tests/dice", "tests/client"}
    assert ground <= set(paths)
    assert any(path.startswith("tests/server/") for path in paths)
    assert all((ROOT / path).exists() for path in paths), paths


def test_the_distribution_can_be_registered_beside_the_placeholder() -> None:
    def look_alike(name: str) -> str:
        """A name as the public index compares it with those that are there."""
        name = re.sub(r"[-_.]", "", name.lower())
        return re.sub("[li]", "1", name).replace("o", "0")

    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    assert look_alike("cant-stop") == look_alike("cantstop")
    assert look_alike(project["name"]) != look_alike("cant-stop")
    assert "cantstop" in project["scripts"]


def test_no_browser_test_waits_by_evaluating_text() -> None:
    """The page's security policy forbids it after the first look, so such a test fails by luck."""
    sources = [path for folder in ("tests", "tools") for path in (ROOT / folder).rglob("*.py")]
    word = "wait_for_" + "function("
    assert [path.name for path in sources if word in path.read_text("utf-8")] == []
