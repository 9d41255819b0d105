// Next's constants as far as its browser side names them: most are for builds and servers, and all of them together, of which
// a page uses one, weigh two kilobytes.
const { globSync, readFileSync } = require("node:fs");
const path = require("node:path");

/** A loader of Turbopack (see next.config.mjs) for `next/dist/lib/constants.js` in the browser. */
module.exports = function nextConstantsLoader() {
  const dist = path.dirname(path.dirname(this.resourcePath));
  const named = new Set(
    globSync("{client,shared}/**/*.js", { cwd: dist }).flatMap((file) =>
      readFileSync(path.join(dist, file), "utf8").match(/\b[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+\b/g),
    ),
  );
  const used = Object.entries(require(this.resourcePath)).filter(([name]) => named.has(name));
  if (used.length === 0) throw new Error(`Nothing of Next's browser side names anything of ${this.resourcePath}.`);
  return `module.exports = ${JSON.stringify(Object.fromEntries(used))};\n`;
};
