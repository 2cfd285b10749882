/** What may not be done: a code, and the name of a sentence in `web/local/sentences.js`. */

export class Refusal extends Error {
  /**
   * @param {string} code
   * @param {string} sentence
   */
  constructor(code, sentence) {
    super(sentence);
    this.code = code;
    this.sentence = sentence;
  }
}
