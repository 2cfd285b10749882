/** Glicko-2 for one game at a time, as `drills/glicko.py` has it; the steps are numbered as there. */

/** @typedef {{rating: number, deviation: number, volatility: number}} Rating */

const SCALE = 173.7178;
const SYSTEM_CONSTANT = 0.5;
const CLOSE_ENOUGH = 1e-6;
const HIGHEST_RATING = 5000;
const [LEAST, MOST_DEVIATION, MOST_VOLATILITY] = [1e-6, 1000, 1];
/** Places after the point that are kept: an exponential differs in its last bit between machines. */
const PLACES = 6;

/**
 * The rating after a game, within its bounds.
 * @param {Rating} player
 * @param {Pick<Rating, "rating" | "deviation">} opponent
 * @param {number} score  from 0 to 1
 * @returns {Rating}
 */
export function rated(player, opponent, score) {
  const weight = 1 / Math.sqrt(1 + 3 * (opponent.deviation / SCALE / Math.PI) ** 2);
  const off = (player.rating - opponent.rating) / SCALE;
  const expected = 1 / (1 + Math.exp(-weight * off));
  const precision = weight ** 2 * expected * (1 - expected); // steps 3 and 4
  const gain = weight * (score - expected);
  const deviation = player.deviation / SCALE;
  if (!precision) {
    const wider = SCALE * Math.sqrt(deviation ** 2 + player.volatility ** 2);
    return bounded(player.rating, wider, player.volatility);
  }
  const volatility = volatilityOf(player.volatility, deviation, 1 / precision, gain / precision);
  const before = deviation ** 2 + volatility ** 2; // step 6
  const after = 1 / (1 / before + precision); // step 7
  return bounded(player.rating + SCALE * after * gain, SCALE * Math.sqrt(after), volatility);
}

/**
 * @param {number} rating
 * @param {number} deviation
 * @param {number} volatility
 */
function bounded(rating, deviation, volatility) {
  return {
    rating: within(rating, -HIGHEST_RATING, HIGHEST_RATING),
    deviation: within(deviation, LEAST, MOST_DEVIATION),
    volatility: within(volatility, LEAST, MOST_VOLATILITY),
  };
}

/**
 * @param {number} number
 * @param {number} least
 * @param {number} most
 */
function within(number, least, most) {
  return Math.max(least, Math.min(Number(number.toFixed(PLACES)), most));
}

/**
 * Whether a progress could have been made by answering.
 * @param {Rating} rating
 */
export function isPossible({ rating, deviation, volatility }) {
  return (
    Math.abs(rating) <= HIGHEST_RATING &&
    deviation >= LEAST &&
    deviation <= MOST_DEVIATION &&
    volatility >= LEAST &&
    volatility <= MOST_VOLATILITY
  );
}

/**
 * Step 5: the volatility that explains the result best, by the Illinois algorithm.
 * @param {number} volatility
 * @param {number} deviation
 * @param {number} variance
 * @param {number} improvement
 */
function volatilityOf(volatility, deviation, variance, improvement) {
  const start = Math.log(volatility ** 2);
  const slope = (/** @type {number} */ x) => {
    const spread = deviation ** 2 + variance + Math.exp(x);
    const drawn = (Math.exp(x) * (improvement ** 2 - spread)) / (2 * spread ** 2);
    return drawn - (x - start) / SYSTEM_CONSTANT ** 2;
  };
  let low = start;
  let high = startOfSearch(slope, start, improvement ** 2 - deviation ** 2 - variance);
  let [atLow, atHigh] = [slope(low), slope(high)];
  while (Math.abs(high - low) > CLOSE_ENOUGH) {
    const between = low + ((low - high) * atLow) / (atHigh - atLow);
    const atBetween = slope(between);
    if (atBetween * atHigh <= 0) [low, atLow] = [high, atHigh];
    else atLow /= 2;
    [high, atHigh] = [between, atBetween];
  }
  return Math.exp(low / 2);
}

/**
 * @param {(x: number) => number} slope
 * @param {number} start
 * @param {number} surprise
 */
function startOfSearch(slope, start, surprise) {
  if (surprise > 0) return Math.log(surprise);
  let steps = 1;
  while (slope(start - steps * SYSTEM_CONSTANT) < 0) steps += 1;
  return start - steps * SYSTEM_CONSTANT;
}
