/** The script of the offline page: translates it, and reloads as soon as the server is back. */

const WORDS = /** @type {Record<string, Record<string, string>>} */ ({
  fr: {
    title: "Pas de connexion",
    text: "Le serveur est injoignable. Cette page se recharge toute seule.",
    again: "Réessayer",
    meanwhile: "Ce qui fonctionne sans lui :",
    rules: "Règles",
    games: "Mes parties",
    verify: "Vérifier les dés d’une partie enregistrée",
  },
  nl: {
    title: "Geen verbinding",
    text: "De server is niet bereikbaar. Deze pagina komt vanzelf terug.",
    again: "Opnieuw proberen",
    meanwhile: "Wat zonder server werkt:",
    rules: "Spelregels",
    games: "Mijn partijen",
    verify: "De dobbelstenen van een verslag controleren",
  },
  it: {
    title: "Nessuna connessione",
    text: "Il server non è raggiungibile. Questa pagina si ricarica da sola.",
    again: "Riprova",
    meanwhile: "Che cosa funziona anche senza:",
    rules: "Regole",
    games: "Le mie partite",
    verify: "Controllare i dadi di una partita registrata",
  },
  de: {
    title: "Keine Verbindung",
    text: "Der Server ist nicht erreichbar. Diese Seite kommt von selbst zurück.",
    again: "Noch einmal versuchen",
    meanwhile: "Was auch ohne ihn geht:",
    rules: "Regeln",
    games: "Meine Spiele",
    verify: "Die Würfel einer Aufzeichnung prüfen",
  },
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

/** @param {string} id */
function part(id) {
  return /** @type {HTMLElement} */ (document.getElementById(id));
}

const words = WORDS[language()];
if (words) {
  document.documentElement.lang = language();
  for (const [id, text] of Object.entries(words)) part(id).textContent = text;
}
part("again").addEventListener("click", () => location.reload());
caches
  .match("/")
  .then((shell) => (part("works").hidden = !shell))
  .catch(() => {});

setInterval(() => {
  // nothing that the service worker has an answer for
  fetch("/static/manifest.webmanifest", { cache: "no-store" })
    .then(() => location.reload())
    .catch(() => {});
}, RETRY);
addEventListener("online", () => location.reload());
