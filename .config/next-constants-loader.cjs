// Next's constants as far as its browser side names them: most are for builds and servers, and all of them together, of which
// a page uses one, weigh two kilobytes.
const { readdirSync, readFileSync } = require("node:fs");
const path = require("node:path");

/** A loader of Turbopack (see next.config.mjs) for `next/dist/lib/constants.js` in the browser. */
module.exports = function nextConstantsLoader() {
  const dist = path.dirname(path.dirname(this.resourcePath));
  const files = ["client", "shared"].flatMap((folder) =>
    // Without globSync, which Node 20 lacks: a bundler started by hand runs this in the Node that it finds.
    readdirSync(path.join(dist, folder), { recursive: true }).map((file) => path.join(dist, folder, file)),
  );
  const named = new Set(
    files
      .filter((file) => file.endsWith(".js"))
      .flatMap((file) => readFileSync(file, "utf8").match(/\b[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+\b/g)),
  );
  const used = Object.entries(require(this.resourcePath)).filter(([name]) => named.has(name));
  if (used.length === 0) throw new Error(`Nothing of Next's browser side names anything of ${this.resourcePath}.`);
  return `module.exports = ${JSON.stringify(Object.fromEntries(used))};\n`;
};
