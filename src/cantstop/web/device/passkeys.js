/** Passkeys: made and used by the browser, for a site that has a name and HTTPS. */

import { t } from "../words/i18n.js";

/** What servers can check: ES256, and RS256 for Windows. */
const ALGORITHMS = [-7, -257];

/** Whether this browser has passkeys for this site; an address that is a number is no site. */
export function passkeysWork() {
  const isNumber = /^[\d.]+$|:/.test(location.hostname.replace(/^\[|\]$/g, ""));
  return (
    window.isSecureContext &&
    !isNumber &&
    "PublicKeyCredential" in window &&
    "getPublicKey" in AuthenticatorAttestationResponse.prototype
  );
}

/**
 * A new passkey, as the server wants it.
 * @param {string} challenge
 * @param {string[]} known  those that there are already
 * @param {{id: string, name: string}} player
 */
export async function makePasskey(challenge, known, { id, name }) {
  const made = await attempt(() =>
    navigator.credentials.create({
      publicKey: {
        challenge: bytesOf(challenge),
        rp: { name: "Can’t Stop" },
        user: { id: new TextEncoder().encode(id), name, displayName: name },
        pubKeyCredParams: ALGORITHMS.map((alg) => ({ type: "public-key", alg })),
        excludeCredentials: known.map((one) => ({ type: "public-key", id: bytesOf(one) })),
        authenticatorSelection: { residentKey: "required", userVerification: "required" },
        attestation: "none",
      },
    }),
  );
  const response = /** @type {AuthenticatorAttestationResponse} */ (made.response);
  const key = response.getPublicKey();
  if (!key) throw new Error(t("This device makes passkeys of another kind."));
  return {
    credential: made.id,
    client_data: textOf(response.clientDataJSON),
    authenticator_data: textOf(response.getAuthenticatorData()),
    public_key: textOf(key),
  };
}

/**
 * What a passkey of this site has signed; which one is asked by the browser.
 * @param {string} challenge
 */
export async function signByPasskey(challenge) {
  const used = await attempt(() =>
    navigator.credentials.get({
      publicKey: { challenge: bytesOf(challenge), userVerification: "required" },
    }),
  );
  const response = /** @type {AuthenticatorAssertionResponse} */ (used.response);
  return {
    credential: used.id,
    client_data: textOf(response.clientDataJSON),
    authenticator_data: textOf(response.authenticatorData),
    signature: textOf(response.signature),
  };
}

/**
 * The credential that the person at the device agrees to; else a sentence why there is none.
 * @param {() => Promise<Credential | null>} action
 */
async function attempt(action) {
  try {
    const found = await action();
    if (found) return /** @type {PublicKeyCredential} */ (found);
  } catch (error) {
    if (/** @type {DOMException} */ (error).name === "InvalidStateError")
      throw new Error(t("There is a passkey on this device already."), { cause: error });
    if (/** @type {DOMException} */ (error).name !== "NotAllowedError") throw error;
  }
  throw new Error(t("No passkey was used."));
}

/** @param {string} text  in base64url */
function bytesOf(text) {
  const plain = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  return Uint8Array.from(plain, (letter) => letter.charCodeAt(0));
}

/** @param {ArrayBuffer} bytes */
function textOf(bytes) {
  const plain = String.fromCharCode(...new Uint8Array(bytes));
  return btoa(plain).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}
