/** Rules and positions as one line of text (docs/notation.md), read and written for the engine. */

const OFFICIAL = [3, 5, 7, 9, 11, 13, 11, 9, 7, 5, 3];
const RUNNERS = 3;
/** Dice with more sides than this are written with dashes between them. */
const MOST_PLAIN_SIDES = 9;
const FIRST_COLUMN = 2;

const SHARING = ["free", "no-rest", "leapfrog"];
const STARTS = ["first-seat", "roll-off", "youngest"];

/**
 * @typedef {object} Rules
 * @property {string} text  the canonical one
 * @property {number} players
 * @property {number} win
 * @property {boolean} early
 * @property {string} sharing
 * @property {string} start
 * @property {number[]} lengths
 * @property {number} runners
 * @property {number} sides
 */

/**
 * What a position text says, before anybody has asked whether a game can come to it.
 * @typedef {object} Placed
 * @property {Rules} rules
 * @property {number[][]} tokens  by seat, then by column from 2 on
 * @property {number} seat
 * @property {number[]} runners
 * @property {number[] | null} dice
 * @property {{contenders: number[], sums: number[]} | null} rollOff
 */

/**
 * @param {string} text such as `v1,players=3,win=4,early`
 * @returns {Rules | null}  null where it is not one
 */
export function readRules(text) {
  /** @type {Map<string, string>} */
  const given = new Map();
  for (const part of text.split(",")) {
    const [key, value = ""] = part.split("=");
    if (given.has(key)) return null;
    given.set(key, value);
  }
  const take = (/** @type {string} */ key, /** @type {string} */ otherwise) => {
    const found = given.get(key) ?? otherwise;
    given.delete(key);
    return found;
  };
  const lengths = take("lengths", OFFICIAL.join(".")).split(".").map(whole);
  const rules = {
    players: whole(take("players", "2")),
    win: whole(take("win", "3")),
    early: given.delete("early"),
    sharing: take("sharing", "free"),
    start: take("start", "first-seat"),
    lengths,
    runners: whole(take("runners", `${RUNNERS}`)),
    sides: (lengths.length + 1) / 2,
  };
  given.delete("v1");
  const sound =
    !given.size &&
    rules.players >= 1 &&
    rules.players <= 4 &&
    lengths.length % 2 === 1 &&
    lengths.length >= 3 &&
    lengths.length <= 39 &&
    lengths.every((length) => length >= 1 && length <= 99) &&
    rules.win >= 1 &&
    rules.win <= lengths.length &&
    rules.runners >= 1 &&
    rules.runners <= lengths.length &&
    SHARING.includes(rules.sharing) &&
    STARTS.includes(rules.start);
  return sound ? { ...rules, text: rulesText(rules) } : null;
}

/** @param {Omit<Rules, "text">} rules */
export function rulesText({ players, win, early, sharing, start, lengths, runners }) {
  return [
    "v1",
    `players=${players}`,
    win !== 3 && `win=${win}`,
    early && "early",
    sharing !== "free" && `sharing=${sharing}`,
    start !== "first-seat" && `start=${start}`,
    lengths.join() !== OFFICIAL.join() && `lengths=${lengths.join(".")}`,
    runners !== RUNNERS && `runners=${runners}`,
  ]
    .filter(Boolean)
    .join();
}

/**
 * What the module's record of rules is filled with.
 * @param {Rules} rules
 */
export function rulesValues({ players, win, early, sharing, start, lengths, runners, sides }) {
  return {
    players,
    columns_to_win: win,
    early: Number(early),
    sharing: SHARING.indexOf(sharing),
    roll_off: Number(start === "roll-off" && players > 1),
    sides,
    runners,
    whole_turns: 0,
    tops: [0, 0, ...lengths],
  };
}

/**
 * @param {string} text
 * @returns {Placed | null}  null where it is no position
 */
export function readPosition(text) {
  const fields = text.trim().split(/\s+/);
  const rules = fields.length === 5 ? readRules(fields[0]) : null;
  if (!rules) return null;
  const tokens = fields[1].split("/").map((spaces) => readSpaces(spaces, rules.lengths));
  const runners = readSpaces(fields[3], rules.lengths);
  const rollOff = fields[2].startsWith("start:") ? readRollOff(fields[2], rules) : null;
  const seat = rollOff ? rollOff.contenders[rollOff.sums.length] : whole(fields[2]) - 1;
  const dice = readDice(fields[4])?.toSorted((a, b) => a - b) ?? null;
  const seated = seat >= 0 && seat < rules.players && tokens.length === rules.players;
  const fits = (/** @type {number} */ die) => die >= 1 && die <= rules.sides;
  const fallen = dice ? dice.length === 4 && dice.every(fits) : fields[4] === "-";
  if (!seated || !fallen || !runners || tokens.some((spaces) => !spaces) || (rollOff && dice))
    return null;
  return { rules, tokens: /** @type {number[][]} */ (tokens), seat, runners, dice, rollOff };
}

/**
 * @param {string} text such as `6:2,7:1`
 * @param {number[]} lengths
 * @returns {number[] | null}
 */
function readSpaces(text, lengths) {
  const spaces = lengths.map(() => 0);
  if (text === "-") return spaces;
  let last = -1;
  for (const part of text.split(",")) {
    const [column, space, ...more] = part.split(":").map(whole);
    const index = column - FIRST_COLUMN;
    if (more.length || !(index in spaces) || index <= last || !(space >= 1)) return null;
    spaces[index] = space;
    last = index;
  }
  return spaces;
}

/**
 * @param {string} text such as `start:1=7,2,3`
 * @param {Rules} rules
 */
function readRollOff(text, { players, start, sides }) {
  const parts = text
    .slice("start:".length)
    .split(",")
    .map((part) => part.split("="));
  const contenders = parts.map(([seat]) => whole(seat) - 1);
  const sums = parts.flatMap(([, sum]) => (sum === undefined ? [] : [whole(sum)]));
  const sound =
    start === "roll-off" &&
    contenders.length >= 2 &&
    sums.length < contenders.length &&
    parts.every(([, sum], at) => (sum === undefined) === at >= sums.length) &&
    sums.every((sum) => sum >= 2 && sum <= 2 * sides) &&
    contenders.every((seat, at) => seat < players && seat > (contenders[at - 1] ?? -1));
  return sound ? { contenders, sums } : null;
}

/**
 * Dice as they fell; how many there have to be is for a roll to say.
 * @param {string} text such as `2345`, or `1-12-3-6`
 * @returns {number[] | null}
 */
export function readDice(text) {
  const dice = (text.includes("-") ? text.split("-") : [...text]).map(whole);
  return dice.length && !dice.some(Number.isNaN) ? dice : null;
}

/** @param {string} text */
function whole(text) {
  return /^\d{1,3}$/.test(text) ? Number(text) : NaN;
}

/**
 * The canonical text.
 * @param {Placed} position
 */
export function positionText({ rules, tokens, seat, runners, dice, rollOff }) {
  const turn = rollOff ? rollOffText(rollOff) : `${seat + 1}`;
  const placed = tokens.map(spacesText).join("/");
  const thrown = dice ? diceText(dice, rules.sides) : "-";
  return `${rules.text} ${placed} ${turn} ${spacesText(runners)} ${thrown}`;
}

/**
 * @param {number[]} dice
 * @param {number} sides
 */
export function diceText(dice, sides) {
  return dice.join(sides > MOST_PLAIN_SIDES ? "-" : "");
}

/** @param {number[]} spaces */
function spacesText(spaces) {
  return (
    spaces.flatMap((space, at) => (space ? [`${at + FIRST_COLUMN}:${space}`] : [])).join() || "-"
  );
}

/** @param {{contenders: number[], sums: number[]}} rollOff */
function rollOffText({ contenders, sums }) {
  const parts = contenders.map((seat, at) => `${seat + 1}${at in sums ? `=${sums[at]}` : ""}`);
  return `start:${parts.join()}`;
}
