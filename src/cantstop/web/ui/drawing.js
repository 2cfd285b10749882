/** Drawings that leave the page: with their styles, and as pixels. */

const SHARPNESS = 2;

/** What a drawing needs to look the same without its style sheet. */
const PROPERTIES = [
  "fill",
  "fill-opacity",
  "stroke",
  "stroke-width",
  "stroke-linejoin",
  "stroke-linecap",
  "stroke-dasharray",
  "paint-order",
  "stop-color",
  "opacity",
  "font-size",
  "font-weight",
  "font-family",
  "text-anchor",
  "display",
];

/**
 * A drawing that carries its styles with it.
 * @param {SVGSVGElement | null} drawing
 * @param {number} width
 */
export function styledCopy(drawing, width) {
  if (!drawing) return null;
  const copy = /** @type {SVGSVGElement} */ (drawing.cloneNode(true));
  const originals = drawing.querySelectorAll("*");
  copy.querySelectorAll("*").forEach((element, at) => {
    const style = getComputedStyle(originals[at]);
    for (const name of PROPERTIES) {
      const value = style.getPropertyValue(name);
      if (value) element.setAttribute(name, value);
    }
    const { transform } = /** @type {SVGElement} */ (originals[at]).style;
    if (transform) element.setAttribute("transform", transform.replaceAll("px", ""));
    for (const name of ["class", "style", "role", "tabindex", "aria-label"])
      element.removeAttribute(name);
  });
  const { width: wide, height: high } = drawing.viewBox.baseVal;
  copy.setAttribute("width", String(width));
  copy.setAttribute("height", String((width * high) / wide));
  copy.removeAttribute("class");
  return copy;
}

/**
 * The address of a drawing, for an image of it.
 * @param {string} source  of the SVG
 */
export function addressOfDrawing(source) {
  return `data:image/svg+xml;charset=utf-8,${encodeURIComponent(source)}`;
}

/**
 * A drawing as PNG.
 * @param {string} source  of the SVG
 * @param {number} width
 * @param {number} height
 * @returns {Promise<Blob>}
 */
export async function pixelsOf(source, width, height) {
  const image = new Image();
  image.src = addressOfDrawing(source);
  await image.decode();
  const canvas = document.createElement("canvas");
  canvas.width = width * SHARPNESS;
  canvas.height = height * SHARPNESS;
  canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((done, failed) =>
    canvas.toBlob((blob) => (blob ? done(blob) : failed(new Error("no picture"))), "image/png"),
  );
}
