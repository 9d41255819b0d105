// @ts-check
// Builds the verifier: one file for Node, without packages, and not minified, since people should be able to read what
// they run. Writes it as generated/verify.mjs and as a package for `npx`, and both for the server into generated/assets.ts.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
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
const folder = path.join(here, "generated");
mkdirSync(path.join(folder, "package"), { recursive: true });
writeFileSync(path.join(folder, "verify.mjs"), script);
writeFileSync(path.join(folder, "package/verify.mjs"), script);
const { version, license } = JSON.parse(readFileSync(path.join(here, "../../../package.json"), "utf8"));
const manifest = {
  name: "candor-verify",
  version,
  license,
  description: "Verifies a log of Candor",
  type: "module",
  bin: "verify.mjs",
  engines: { node: ">=20.12" },
};
writeFileSync(path.join(folder, "package/package.json"), `${JSON.stringify(manifest, null, 2)}\n`);
execFileSync("npm", ["pack", "--silent", "--pack-destination", folder], { cwd: path.join(folder, "package") });
const tarball = readFileSync(path.join(folder, `candor-verify-${version}.tgz`), "base64");
writeFileSync(
  path.join(folder, "assets.ts"),
  `// Made by lib/honesty/verifier/build.mjs.
export const script = ${JSON.stringify(script)};
/** base64 */
export const tarball = ${JSON.stringify(tarball)};
/** of the content: npx keeps what it loaded from an address */
export const version = ${JSON.stringify(createHash("sha256").update(script).digest("hex").slice(0, 12))};
`,
);
