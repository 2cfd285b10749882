// Checks the browser client's modules; `make lint` runs it.

import js from "@eslint/js";
import globals from "globals";
import path from "node:path";

const WEB = path.resolve("src/cantstop/web");

/**
 * The client's folders, the lowest first: a module imports only its own folder and those before it,
 * at once or with import(), so that no two of them need each other. Types in comments may name any.
 */
const LAYERS = [
  "core",
  "engine",
  "words",
  "device",
  "net",
  "local",
  "ui",
  "board",
  "verify",
  "insight",
  "club",
  "table",
  "pages",
  ".", // main.js and routes.js
];

/** @param {string} file */
function layerOf(file) {
  const parts = path.relative(WEB, file).split(path.sep);
  return LAYERS.indexOf(parts.length > 1 ? parts[0] : ".");
}

/** @type {import("eslint").Rule.RuleModule} */
const layers = {
  create(context) {
    const own = layerOf(context.filename);
    /** @param {import("estree").Node & {source?: import("estree").Expression | null}} node */
    function check(node) {
      if (!node.source) return; // an export of the module's own
      if (node.source.type !== "Literal") {
        context.report({ node, message: "An import names its module, so that it can be checked." });
        return;
      }
      const imported = String(node.source.value);
      const other = layerOf(path.resolve(path.dirname(context.filename), imported));
      if (own < 0 || other < 0 || other > own)
        context.report({ node, message: `${imported} is not below this folder: see LAYERS.` });
    }
    return {
      ImportDeclaration: check,
      ImportExpression: check,
      ExportNamedDeclaration: check,
      ExportAllDeclaration: check,
    };
  },
};

export default [
  js.configs.recommended,
  {
    files: ["src/cantstop/web/**/*.js"],
    languageOptions: { ecmaVersion: 2023, sourceType: "module", globals: globals.browser },
    linterOptions: { reportUnusedDisableDirectives: "error" },
    plugins: { cantstop: { rules: { layers } } },
    rules: {
      "cantstop/layers": "error",
      eqeqeq: "error",
      "max-lines-per-function": ["error", 60],
      "no-console": ["error", { allow: ["warn"] }],
      "no-duplicate-imports": "error",
      "no-implicit-globals": "error",
      "no-shadow": "error",
      "no-unused-expressions": ["error", { allowShortCircuit: true, allowTernary: true }],
      "no-unused-vars": "error",
      "no-use-before-define": ["error", { functions: false, classes: false, variables: false }],
      "no-var": "error",
      "object-shorthand": "error",
      "prefer-const": "error",
    },
  },
  {
    // one closure each, over the whole life of a table, a connection or a page
    files: [
      "src/cantstop/web/insight/analysis.js",
      "src/cantstop/web/net/socket.js",
      "src/cantstop/web/pages/replay.js",
      "src/cantstop/web/table/{companion,view}.js",
    ],
    rules: { "max-lines-per-function": ["error", 200] },
  },
  {
    files: ["src/cantstop/web/sw.js"],
    languageOptions: { globals: globals.serviceworker },
  },
];
