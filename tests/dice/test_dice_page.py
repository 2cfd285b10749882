"""The specification's test vectors are the ones that the tests compute."""

import json
from pathlib import Path

ROOT = Path(__file__).parents[2]
VECTORS = json.loads((ROOT / "tests/data/sealed_dice.json").read_text())


SALTS = json.loads((ROOT / "tests/data/sealed_records.json").read_text())["salts"]


def test_the_page_prints_commitments_to_salts() -> None:
    page = (ROOT / "docs/dice.md").read_text()
    for vector in SALTS[:2]:
        assert f"| `{vector['salt']}` | `{vector['commitment']}` |\n" in page


def test_the_page_prints_the_vectors() -> None:
    page = (ROOT / "docs/dice.md").read_text()
    for vector in VECTORS[:3]:
        salts = ", ".join(f"`{salt}`" for salt in vector["salts"])
        head = (
            f"Secret `{vector['secret']}`, commitment `{vector['commitment']}`, "
            f"table `{vector['table']}`, salts {salts}:"
        )
        rows = "\n".join(
            f"| {roll['number']} | {'-'.join(map(str, roll['dice']))} |" for roll in vector["rolls"]
        )
        assert f"{head}\n\n| roll | dice |\n|---|---|\n{rows}\n" in page
