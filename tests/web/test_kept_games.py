"""Games on the device: a full or cleared disk, whole lists, and the way to another device."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

from browser_player import AGAINST, AT_ONCE, NOTE_TOASTS, Player
from web.test_offline import reopened, stored

# Whatever is added fails, or the transaction does at its end, as when the disk is full by then.
FULL = """(when) => {
  const { add } = IDBObjectStore.prototype;
  const full = new DOMException("no room", "QuotaExceededError");
  IDBObjectStore.prototype.add = function (...given) {
    if (globalThis.full && when === "add") throw full;
    const request = add.apply(this, given);
    const { transaction } = this;
    if (globalThis.full && transaction.error !== full) {
      Object.defineProperty(transaction, "error", { value: full });
      request.addEventListener("success", () => transaction.abort());
    }
    return request;
  };
}"""

# Whether the table has come to event n, or to a decision of a person.
GONE_ON = """(n) => {
  const table = document.querySelector(".table").dataset;
  return Number(table.n) >= n || table.live === "true";
}"""
KEPT_ONLY_HERE = "the game goes on, but it is kept only while this page is open"


# Follows a table and rolls in one breath: what the page hears of it in the end.
AT_THE_SAME_TIME = """async () => {
  const { askDevice, listenTo } = await import("/static/local/device.js");
  const seats = ["Anne", "Bob"].map((name) => ({ kind: "human", name }));
  const { id, state } = await askDevice("play", "open", { mode: "hotseat", seats });
  const heard = [];
  listenTo(id, ({ event }) => event && heard.push(event));
  const follow = askDevice("play", "follow", id, state.n, "normal");
  await askDevice("play", "act", id, { kind: "roll", seat: 0, id: "only-once" });
  return [...(await follow), ...heard].map(({ kind }) => kind);
}"""


@pytest.fixture
def on_its_own(sit: Callable[..., Player]) -> Callable[[], Player]:
    """Players whose server answers no request but for files: the device keeps their games.

    Those of test_offline.py have no connection at all, but the app has to install itself first.
    """

    def sit_down() -> Player:
        player = sit()
        player.page.context.route("**/api/**", lambda route: route.abort())
        player.go("/rules").page.evaluate(AT_ONCE)
        return player

    return sit_down


def open_hotseat(player: Player) -> Player:
    player.go("/new?way=hotseat").find(".start-game").click()
    return player.sees(stage="playing", live=True)


def play_against(player: Player, bot: str) -> Player:
    """A game against a bot, to its end: one column."""
    player.page.evaluate(AGAINST, [bot, 1])
    player.go("/ladder").find(f".step[data-bot={bot}]").click()
    player.sees(stage="playing")
    assert player.play() == "over"
    return player


def set_full(player: Player, full: bool) -> None:
    """Whether the device has no room for anything that the tables' worker writes."""
    worker = next(one for one in player.page.workers if "local-worker" in one.url)
    worker.evaluate(f"() => {{ globalThis.full = {json.dumps(full)}; }}")


def make_fillable(player: Player, when: str = "add") -> None:
    worker = next(one for one in player.page.workers if "local-worker" in one.url)
    worker.evaluate(FULL, when)


@pytest.mark.parametrize("when", ["add", "end"])
def test_on_a_full_device_the_game_goes_on_and_is_saved_once_there_is_room(
    on_its_own: Callable[[], Player], when: str
) -> None:
    player = open_hotseat(on_its_own())
    player.take_turn()
    make_fillable(player.sees(phase="roll", live=True), when)
    set_full(player, True)
    kept = stored(player)
    player.page.evaluate(NOTE_TOASTS)
    player.take_turn()
    said = f"This device has no room left: {KEPT_ONLY_HERE}."
    player.wait_for("(said) => toasts.length && toasts.every((one) => one === said)", said)
    player.take_turn()
    assert stored(player) == kept  # nothing more, and nothing less
    player.sees(phase="roll", live=True, rolls=3)
    set_full(player, False)
    player.take_turn()
    player.sees(phase="roll", live=True, rolls=4)
    numbers = [event["n"] for event in stored(player)]
    assert numbers == [*range(1, len(kept) + 9 + 1)]
    reopened(player).sees(phase="roll", live=True, rolls=4)


def test_a_game_begins_where_nothing_can_be_written(on_its_own: Callable[[], Player]) -> None:
    player = open_hotseat(on_its_own())
    make_fillable(player)
    set_full(player, True)
    player.find(".brand").first.click()
    expect(player.find("[data-way=hotseat]")).to_be_visible()
    player.find("[data-way=hotseat]").click()
    player.sees(stage="playing", live=True, rolls=0)
    expect(player.find("#toasts")).to_contain_text(KEPT_ONLY_HERE)
    player.take_turn()
    player.sees(phase="roll", live=True, rolls=1)


def test_a_game_that_is_open_survives_that_everything_is_cleared_away(
    on_its_own: Callable[[], Player],
) -> None:
    player = open_hotseat(on_its_own())
    player.take_turn()
    player.sees(phase="roll", live=True)
    before = stored(player)
    session = player.page.context.new_cdp_session(player.page)
    clear = {"origin": player.url, "storageTypes": "indexeddb"}
    session.send("Storage.clearDataForOrigin", clear)
    player.take_turn()
    player.sees(phase="roll", live=True, rolls=2)
    assert stored(player)[: len(before)] == before
    reopened(player).sees(phase="roll", live=True, rolls=2)


def test_a_worker_that_breaks_down_has_another_take_its_place(
    on_its_own: Callable[[], Player],
) -> None:
    player = open_hotseat(on_its_own())
    player.take_turn()
    player.sees(phase="roll", live=True)
    worker = next(one for one in player.page.workers if "local-worker" in one.url)
    with player.page.expect_worker():
        worker.evaluate("() => void setTimeout(() => { throw new Error('broken'); })")
    player.take_turn()
    player.sees(phase="roll", live=True, rolls=2)
    numbers = [event["n"] for event in stored(player)]
    assert numbers == [*range(1, len(numbers) + 1)]
    player.troubles.clear()  # the one that was made here


def test_a_tab_killed_while_a_bot_plays_neither_loses_nor_doubles_its_turn(
    on_its_own: Callable[[], Player],
) -> None:
    player = on_its_own()
    player.page.evaluate(AGAINST, ["magpie", 3])
    player.go("/new?way=bot").find(".start-game").click()
    for events_of_the_bot in range(4):
        player.take_turn()
        n = int(player.table.get_attribute("data-n") or "") + events_of_the_bot
        player.wait_for(GONE_ON, n)
        reopened(player).sees(phase="roll", live=True)
    events = stored(player)
    assert [event["n"] for event in events] == [*range(1, len(events) + 1)]
    ends = [event["seat"] for event in events if event["kind"] in ("stopped", "busted")]
    assert ends == [0, 1] * 4


def test_a_clock_that_is_far_off_harms_no_list(on_its_own: Callable[[], Player]) -> None:
    player = open_hotseat(on_its_own())
    worker = next(one for one in player.page.workers if "local-worker" in one.url)
    worker.evaluate("() => { Date.prototype.toISOString = () => '1970-01-01T00:00:00.000Z'; }")
    assert player.play() == "over"
    play_against(player, "chick")
    player.go("/games")
    expect(player.find(".game-list li")).to_have_count(2)
    player.go("/me")
    expect(player.find(".me-head")).to_contain_text("1 game:")


def test_two_tabs_of_a_full_device_end_with_the_one_that_was_saved(
    on_its_own: Callable[[], Player],
) -> None:
    player = open_hotseat(on_its_own())
    other = Player(player.page.context.new_page(), player.url)
    other.go(player.address).sees(live=True)
    for one in (player, other):
        make_fillable(one)
        set_full(one, True)
        one.take_turn()
        one.sees(phase="roll", live=True, rolls=1)
    for one in (player, other):
        set_full(one, False)
    player.take_turn()
    player.sees(phase="roll", live=True, rolls=2)
    saved = stored(player)
    other.find("[aria-label=React]").click()
    other.find("[data-reaction=cheer]").click()
    other.sees(phase="roll", live=True, rolls=2)
    now = stored(player)
    assert now[: len(saved)] == saved
    assert [event["n"] for event in now] == [*range(1, len(now) + 1)]
    other.page.close()


def test_lists_are_whole_though_no_page_noted_the_end(on_its_own: Callable[[], Player]) -> None:
    player = play_against(on_its_own(), "chick")
    player.go("/new?way=solo").find(".start-game").click()
    player.sees(stage="playing")
    assert player.play() == "over"
    for key in ("games", "history", "solos"):
        player.page.evaluate("(key) => localStorage.removeItem(`cantstop.${key}`)", key)
    player.page.context.unroute_all()
    for _ in range(2):
        player.go("/games")
        expect(player.find(".game-list li")).to_have_count(2)
        expect(player.find(".best-list li")).to_have_count(1)
        player.go("/me")
        expect(player.find(".me-head")).to_contain_text("1 game:")


def test_a_game_that_is_removed_is_gone_and_can_be_had_back(
    on_its_own: Callable[[], Player],
) -> None:
    player = open_hotseat(on_its_own())
    player.take_turn()
    address = player.sees(phase="roll", live=True).address
    player.go("/games").find(".game-row button").click()
    player.find("dialog .give-up").click()
    player.find(".undo").click()
    expect(player.find(".game-list a")).to_have_count(1)
    player.go(address).sees(phase="roll", live=True, rolls=1)
    player.go("/games").find(".game-row button").click()
    player.find("dialog .give-up").click()
    expect(player.find(".undo")).to_be_visible()
    player.go("/games")
    expect(player.find(".game-list")).to_have_count(0)
    player.go(address)
    expect(player.find("h1")).to_have_text("This game cannot be shown")


def save_all(player: Player) -> Path:
    """Everything of a device as a file."""
    player.go("/me")
    with player.page.expect_download() as saved:
        player.find("button", has_text="Save as a file").click()
    return saved.value.path()


def take_over(player: Player, file: Path | dict[str, Any]) -> None:
    player.go("/me")
    content = file.read_bytes() if isinstance(file, Path) else json.dumps(file).encode()
    player.find(".take-all input[type=file]").set_input_files(
        {"name": "device.json", "mimeType": "application/json", "buffer": content}
    )


def test_games_of_two_devices_are_on_both_of_them_once(on_its_own: Callable[[], Player]) -> None:
    one, two = on_its_own(), on_its_own()
    play_against(one, "chick")
    open_hotseat(one).take_turn()
    going_on = one.sees(phase="roll", live=True).address
    play_against(two, "magpie")
    take_over(two, save_all(one))
    expect(two.find(".me-head")).to_contain_text("2 games:")
    two.go(going_on).sees(phase="roll", live=True, rolls=1).take_turn()
    two.sees(phase="roll", live=True, rolls=2)
    both = save_all(two)
    for _ in range(2):
        take_over(one, both)
        expect(one.find(".me-head")).to_contain_text("2 games:")
        one.go(going_on).sees(phase="roll", live=True, rolls=2)
        one.go("/games")
        expect(one.find(".game-list li")).to_have_count(3)


def test_a_game_that_went_on_on_both_devices_becomes_two(on_its_own: Callable[[], Player]) -> None:
    one, two = on_its_own(), on_its_own()
    address = open_hotseat(one).address
    take_over(two, save_all(one))
    expect(two.find("#toasts")).to_contain_text("Everything has been taken over.")
    one.go(address).sees(live=True).take_turn()
    two.go(address).sees(live=True).take_turn()
    one.sees(phase="roll", rolls=1)
    mine = stored(one)
    other = save_all(two.sees(phase="roll", rolls=1))
    for _ in range(2):
        take_over(one, other)
        expect(one.find("#toasts")).to_contain_text("Everything has been taken over.")
        one.go("/games")
        expect(one.find(".game-list li")).to_have_count(2)
        one.go(address).sees(phase="roll", live=True, rolls=1)
        assert stored(one) == mine


def spoil_roll(file: dict[str, Any]) -> None:
    rows = next(iter(file["tables"].values()))
    next(row for row in rows if row["event"]["kind"] == "rolled")["event"]["data"]["dice"][0] = 7


def spoil_name(file: dict[str, Any]) -> None:
    rows = next(iter(file["tables"].values()))
    rows[1]["event"]["data"]["name"] = "n" * 10_000


def spoil_number(file: dict[str, Any]) -> None:
    next(iter(file["tables"].values())).pop(2)


def spoil_id(file: dict[str, Any]) -> None:
    file["tables"]["../../x"] = file["tables"].pop(next(iter(file["tables"])))


def spoil_rules(file: dict[str, Any]) -> None:
    rows = next(iter(file["tables"].values()))
    rows[0]["event"]["data"]["rules"] = "v1,players=400"


def spoil_list(file: dict[str, Any]) -> None:
    file["kept"]["games"] = "none"


def spoil_seats(file: dict[str, Any]) -> None:
    file["kept"]["games"][0]["seats"] = None


def spoil_tables(file: dict[str, Any]) -> None:
    file["tables"] = {"one": 1}


@pytest.mark.parametrize(
    "spoil",
    [
        *(spoil_roll, spoil_name, spoil_number, spoil_id, spoil_rules),
        *(spoil_list, spoil_seats, spoil_tables),
    ],
)
def test_a_bad_file_is_refused_in_one_sentence_and_changes_nothing(
    on_its_own: Callable[[], Player], file_of_a_device: str, spoil: Callable[[dict[str, Any]], None]
) -> None:
    player = on_its_own()
    file = json.loads(file_of_a_device)
    spoil(file)
    before = player.go("/me").page.evaluate("() => ({...localStorage})")
    take_over(player, file)
    expect(player.find(".take-all .problem")).to_have_text(
        "This is neither a file nor a code of this page."
    )
    assert player.page.evaluate("() => ({...localStorage})") == before
    player.go("/games")
    expect(player.find(".game-list")).to_have_count(0)


DAMAGE = """async ([id, how]) => {
  const open = indexedDB.open("cantstop");
  await new Promise((done) => (open.onsuccess = done));
  const transaction = open.result.transaction("events", "readwrite");
  const events = transaction.objectStore("events");
  const found = events.getAll(IDBKeyRange.bound([id, 0], [id, Infinity]));
  found.onsuccess = () => {
    const rolled = found.result.find(({ event }) => event.kind === "rolled");
    if (how === "gap") events.delete([id, rolled.n]);
    if (how === "dice") events.put({ ...rolled, event: { ...rolled.event, data: { dice: [7] } } });
    if (how === "event") events.put({ table: id, n: rolled.n, action: null });
    if (how === "first") events.put({ ...found.result[0], event: { n: 1, kind: "opened" } });
  };
  await new Promise((done) => (transaction.oncomplete = done));
  open.result.close();
}"""


@pytest.mark.parametrize("how", ["gap", "dice", "event", "first"])
def test_a_damaged_game_says_so_and_keeps_no_other_from_anything(
    on_its_own: Callable[[], Player], how: str
) -> None:
    player, other = on_its_own(), on_its_own()
    addresses = []
    for _ in range(2):
        open_hotseat(player).take_turn()
        addresses.append(player.sees(phase="roll", live=True).address)
    damaged, sound = addresses
    player.go("/rules").page.evaluate(DAMAGE, [damaged.rpartition("/")[2], how])
    for page in ("", "?n=2", "/review"):
        player.go(damaged + page)
        expect(player.find("h1")).to_have_text("This game cannot be shown")
        expect(player.find(".lead")).to_have_text("What this device keeps of this game is damaged.")
    player.find("main a", has_text="My games").click()
    expect(player.find(".game-list li")).to_have_count(2)  # it may be removed there
    player.go(sound).sees(phase="roll", live=True, rolls=1).take_turn()
    player.sees(phase="roll", live=True, rolls=2)
    take_over(other, save_all(player))
    expect(other.find("#toasts")).to_contain_text("Everything has been taken over.")
    other.go(sound).sees(phase="roll", live=True, rolls=2)


@pytest.fixture(scope="module")
def kept_file() -> list[str]:
    """What one device has saved, once it has."""
    return []


@pytest.fixture
def file_of_a_device(on_its_own: Callable[[], Player], kept_file: list[str]) -> str:
    """Everything of a device with one game that is going on."""
    if not kept_file:
        player = open_hotseat(on_its_own())
        player.take_turn()
        player.sees(phase="roll", live=True)
        kept_file.append(save_all(player).read_text("utf-8"))
    return kept_file[0]


def test_a_roll_while_the_page_begins_to_follow_is_heard_of_once(player: Player) -> None:
    assert player.go("/rules").page.evaluate(AT_THE_SAME_TIME) == ["rolled"]
