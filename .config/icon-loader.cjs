// An icon of lucide-react as its lines alone, drawn by components/ui/icon.ts. Of what the package brings for each, the lines
// are the smaller part: the rest are its names, keys for React and ways to draw it that nothing here uses.
const { pathToFileURL } = require("node:url");

/** A loader of Turbopack (see next.config.mjs) for the package's icons, one a module. The data is what that module exports. */
module.exports = function iconLoader(source) {
  const done = this.async();
  // Lists of icons stand beside them.
  if (!source.includes("__iconData")) return done(null, source);
  lines(this.resourcePath).then(
    (drawn) =>
      done(
        null,
        `import { icon } from "../../../../../components/ui/icon.ts";\nexport default icon(${JSON.stringify(drawn)});\n`,
      ),
    done,
  );
};

/** A path as its text, any other shape with its attributes. */
async function lines(file) {
  const { __iconData: data } = await import(pathToFileURL(file).href);
  if (data.size !== 24) throw new Error(`${file} is not drawn on 24 × 24, as components/ui/icon.ts takes it to be.`);
  return data.node.map(([tag, { key, ...attributes }]) =>
    tag === "path" && Object.keys(attributes).join() === "d" ? attributes.d : [tag, attributes],
  );
}
