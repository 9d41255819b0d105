// @ts-check
// Builds the verifier: one file for Node, without packages, and not minified, since people should be able to read what
// they run. Writes it as generated/verify.mjs, and as text for the server into generated/assets.ts.
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { build } from "esbuild";

const here = import.meta.dirname;
const { outputFiles } = await build({
  entryPoints: [path.join(here, "main.ts")],
  absWorkingDir: path.resolve(here, "../../.."),
  bundle: true,
  write: false,
  format: "esm",
  platform: "node",
  target: "node20.12",
  charset: "utf8",
  banner: { js: "#!/usr/bin/env node\n// Verifies a log of Candor. Needs Node 20.12 or later." },
});
const script = outputFiles[0]?.text ?? "";
mkdirSync(path.join(here, "generated"), { recursive: true });
writeFileSync(path.join(here, "generated/verify.mjs"), script);
writeFileSync(
  path.join(here, "generated/assets.ts"),
  `// Made by lib/honesty/verifier/build.mjs.\nexport const script = ${JSON.stringify(script)};\n`,
);
