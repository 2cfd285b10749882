"""Compiled code on disk is used only as long as every file of the kernel is the same."""

from cantstop.kernel import compiled
from cantstop.kernel.play import play_games


def test_the_cached_loop_depends_on_all_sources_of_the_kernel():
    # Numba compares what the closure holds: docs of `cached` in kernel/compiled.py
    cells = [cell.cell_contents for cell in play_games.py_func.__closure__]
    assert compiled.SOURCES in cells


def test_the_sources_stamp_changes_with_any_file(tmp_path):
    (tmp_path / "one.py").write_text("a = 1\n", "utf-8")
    (tmp_path / "two.py").write_text("b = 1\n", "utf-8")
    before = compiled.digest(tmp_path)
    assert compiled.digest(tmp_path) == before
    (tmp_path / "two.py").write_text("b = 2\n", "utf-8")
    assert compiled.digest(tmp_path) != before
