/** A text in a box of a given size: where it is too long, its letters shrink until it fits. */

const SMALLEST = 9;
const STEP = 0.5;

// Its callback comes after the frame's own layout and before anything is drawn: measuring there
// costs no layout of its own, and nobody sees what did not fit.
const resized = new ResizeObserver((entries) => {
  for (const { target } of entries) fit(/** @type {HTMLElement} */ (target));
});

/**
 * Fit what a box holds now, before it is drawn, and again when its size changes.
 * @param {HTMLElement} box
 */
export function fitText(box) {
  resized.unobserve(box);
  resized.observe(box);
}

/** @param {HTMLElement} box */
function fit(box) {
  box.style.fontSize = "";
  if (!overflows(box)) return;
  let fits = SMALLEST;
  let tooLarge = Number.parseFloat(getComputedStyle(box).fontSize);
  while (tooLarge - fits > STEP) {
    const size = (fits + tooLarge) / 2;
    box.style.fontSize = `${size}px`;
    if (overflows(box)) tooLarge = size;
    else fits = size;
  }
  box.style.fontSize = `${fits}px`;
}

/** @param {HTMLElement} box */
function overflows(box) {
  return box.scrollWidth > box.clientWidth || box.scrollHeight > box.clientHeight + 1;
}
