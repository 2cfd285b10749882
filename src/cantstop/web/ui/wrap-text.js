/** A sentence in lines, for pictures: nothing breaks lines there but us. */

/**
 * The lines of a text that are not wider than the given pixels, but for words that are.
 * @param {CanvasRenderingContext2D} brush  measures, and keeps the font
 * @param {string} text
 * @param {string} font
 * @param {number} width
 */
export function wrapText(brush, text, font, width) {
  brush.font = font;
  /** @type {string[]} */
  const lines = [];
  for (const word of text.split(/(?<=\S) /)) {
    const longer = lines.length ? `${lines.at(-1)} ${word}` : word;
    if (lines.length && brush.measureText(longer).width <= width) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines;
}
