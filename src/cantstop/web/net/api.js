/** Asks the server over HTTP; what it refuses comes back as a Refusal with a stable code. */

import { language, t } from "../words/i18n.js";

/** Something the server did not do, with a sentence for the player. */
export class Refusal extends Error {
  /**
   * @param {string} code
   * @param {string} message
   */
  constructor(code, message) {
    super(message);
    this.code = code;
  }
}

/** @param {string} path */
export function get(path) {
  return ask("GET", path);
}

/**
 * Ask for what the page's headers told the browser to fetch while it was still loading: it takes
 * that answer only for the very same question, so this one has no headers of its own.
 * @param {string} path
 */
export async function getEarly(path) {
  return (await answered(fetch(path))).json();
}

/**
 * @param {string} path
 * @param {unknown} body
 */
export function post(path, body) {
  return ask("POST", path, JSON.stringify(body));
}

/**
 * @param {string} path
 * @returns {Promise<string>}
 */
export async function getText(path) {
  return (await send("GET", path)).text();
}

/**
 * @param {string} method
 * @param {string} path
 * @param {string} [body]
 * @returns {Promise<any>}
 */
async function ask(method, path, body) {
  return (await send(method, path, body)).json();
}

/**
 * @param {string} method
 * @param {string} path
 * @param {string} [body]
 */
async function send(method, path, body) {
  const headers = {
    "Accept-Language": language(),
    ...(body && { "Content-Type": "application/json" }),
  };
  return answered(fetch(path, { method, headers, body }));
}

/** @param {Promise<Response>} asked */
async function answered(asked) {
  let answer;
  try {
    answer = await asked;
  } catch {
    throw new Refusal(
      "offline",
      t("The server cannot be reached. Check the connection and try again."),
    );
  }
  if (!answer.ok) throw await refusal(answer);
  return answer;
}

/** @param {Response} answer */
async function refusal(answer) {
  try {
    const { code, message } = (await answer.json()).error;
    return new Refusal(code, message);
  } catch {
    return new Refusal(
      `http-${answer.status}`,
      t("The server could not answer. Please try again."),
    );
  }
}
