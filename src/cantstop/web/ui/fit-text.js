/** A text in a box of a given size: where it is too long, its letters shrink until it fits. */

const SMALLEST = 9;
const STEP = 0.5;

const resized = new ResizeObserver((entries) => {
  for (const { target } of entries) fitText(/** @type {HTMLElement} */ (target));
});

/**
 * Fit what a box holds now. When its size changes it is fitted again.
 * @param {HTMLElement} box
 */
export function fitText(box) {
  box.style.fontSize = "";
  if (overflows(box)) {
    let size = Number.parseFloat(getComputedStyle(box).fontSize);
    while (size > SMALLEST && overflows(box)) box.style.fontSize = `${(size -= STEP)}px`;
  }
  resized.observe(box);
}

/** @param {HTMLElement} box */
function overflows(box) {
  return box.scrollWidth > box.clientWidth || box.scrollHeight > box.clientHeight + 1;
}
