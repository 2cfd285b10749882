/** The script of the offline page: translates it, and reloads as soon as the server is back. */

const WORDS = /** @type {Record<string, [string, string]>} */ ({
  fr: ["Pas de connexion", "Le serveur est injoignable. Cette page se recharge toute seule."],
  nl: ["Geen verbinding", "De server is niet bereikbaar. Deze pagina komt vanzelf terug."],
  it: ["Nessuna connessione", "Il server non è raggiungibile. Questa pagina si ricarica da sola."],
  de: ["Keine Verbindung", "Der Server ist nicht erreichbar. Diese Seite kommt von selbst zurück."],
});

const RETRY = 3000;

/** @returns {string} */
function language() {
  try {
    return (
      JSON.parse(localStorage.getItem("cantstop.prefs") ?? "{}").language ??
      navigator.language.slice(0, 2)
    );
  } catch {
    return navigator.language.slice(0, 2);
  }
}

const words = WORDS[language()];
if (words) {
  document.documentElement.lang = language();
  /** @type {HTMLElement} */ (document.querySelector("#title")).textContent = words[0];
  /** @type {HTMLElement} */ (document.querySelector("#text")).textContent = words[1];
}

setInterval(() => {
  fetch("/api/languages/en")
    .then(() => location.reload())
    .catch(() => {});
}, RETRY);
addEventListener("online", () => location.reload());
