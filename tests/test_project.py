"""The files that make it a project: workflows, citation, the way into contributing."""

import re
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml

import cantstop

ROOT = Path(__file__).parents[1]
WORKFLOWS = sorted((ROOT / ".github/workflows").glob("*.yml"))
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
MAKE = (ROOT / "Makefile").read_text("utf-8")


def steps(workflow: dict[str, Any]) -> list[dict[str, Any]]:
    return [step for job in workflow["jobs"].values() for step in job["steps"]]


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.stem)
def test_a_workflow_may_no_more_than_it_needs_and_uses_actions_by_version(path: Path) -> None:
    workflow = yaml.safe_load(path.read_text("utf-8"))
    assert workflow["permissions"] == {"contents": "read"}
    allowed = [job.get("permissions", {}) for job in workflow["jobs"].values()]
    assert all(set(one) <= {"id-token"} for one in allowed)
    assert all("timeout-minutes" in job for job in workflow["jobs"].values())
    for step in steps(workflow):
        assert ("uses" in step) != ("run" in step)
        assert "uses" not in step or re.fullmatch(r"[\w/-]+@(v\d+|release/v1)", step["uses"])
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


def test_the_citation_is_of_this_version() -> None:
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text("utf-8"))
    assert citation["cff-version"] == "1.2.0"
    assert citation["version"] == cantstop.__version__
    assert citation["license"] == PROJECT["license"]
    assert set(citation) >= {"title", "message", "authors"}


@pytest.mark.parametrize("page", ["CONTRIBUTING.md", "SECURITY.md"])
def test_what_a_page_refers_to_exists(page: str) -> None:
    text = (ROOT / page).read_text("utf-8")
    for path in re.findall(r"\b((?:src|tests|docs)/[\w./]*\w|[A-Z]+\.md)", text):
        assert (ROOT / path).exists(), path
    for target in re.findall(r"`?\bmake ([a-z][a-z-]+)(?: |`|\n)", text):
        assert f"\n{target}:" in MAKE, target


def test_the_distribution_can_be_registered_beside_the_placeholder() -> None:
    def look_alike(name: str) -> str:
        """A name as the public index compares it with those that are there."""
        name = re.sub(r"[-_.]", "", name.lower())
        return re.sub("[li]", "1", name).replace("o", "0")

    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    assert look_alike("cant-stop") == look_alike("cantstop")
    assert look_alike(project["name"]) != look_alike("cant-stop")
    assert "cantstop" in project["scripts"]
