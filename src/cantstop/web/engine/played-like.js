/** The rating that play was worth, by the curve that `review/played_like.py` has measured. */

/**
 * @typedef {object} Curve
 * @property {number} top
 * @property {number} slope
 * @property {number} power
 * @property {number} spread
 * @property {number} noise
 * @property {number} noise_power
 * @property {number} lowest  what is below counts as this
 * @property {number} errors  how many standard errors to each side an interval has
 */

/**
 * Ratings are for two players by the standard rules, whoever starts.
 * @param {Curve} curve
 * @param {import("./notation.js").Rules} rules
 * @param {number} error  in all
 * @param {number} decisions
 * @returns {import("../net/protocol.js").PlayedLikeView | null}
 */
export function playedLike(curve, { text }, error, decisions) {
  if (!decisions || text.replace(/,start=[\w-]+/, "") !== "v1,players=2") return null;
  const { top, lowest, spread, errors } = curve;
  const mean = error / decisions;
  const rating = ratingOf(curve, mean);
  const below = rating - ratingOf(curve, bound(curve, mean, decisions, true));
  const above = ratingOf(curve, bound(curve, mean, decisions, false)) - rating;
  const off = errors * spread;
  return {
    rating,
    low: Math.max(lowest, rating - Math.sqrt(below ** 2 + off ** 2)),
    high: Math.min(top, rating + Math.sqrt(above ** 2 + off ** 2)),
  };
}

/**
 * @param {Curve} curve
 * @param {number} error  per decision
 */
function ratingOf({ top, slope, power, lowest }, error) {
  return Math.max(lowest, top - slope * error ** power);
}

/**
 * The largest or smallest true error that such a mean is no surprise for.
 * @param {Curve} curve
 * @param {number} mean
 * @param {number} decisions
 * @param {boolean} largest
 */
function bound({ noise, noise_power: power, errors }, mean, decisions, largest) {
  let [low, high] = largest ? [mean, 1] : [0, mean];
  for (let step = 0; step < 50; step += 1) {
    const middle = (low + high) / 2;
    const off = (errors * noise * middle ** power) / Math.sqrt(decisions);
    if (Math.abs(middle - mean) > off === largest) high = middle;
    else low = middle;
  }
  return (low + high) / 2;
}
