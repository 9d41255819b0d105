// @ts-check
// npm run screenshots [-- FOLDER]: screenshots of every page, light and dark, wide and on a phone, full, empty and
// failing, from its own server and database, into that folder (.data/screenshots by default), and the few that READMEs
// show.
import path from "node:path";
import { bootstrap, childEnvironment, exitOnError, printLine, root, runInForeground } from "./bootstrap.mjs";
import { build } from "./prepare.mjs";

await bootstrap(import.meta.filename);
const { ensureChromium } = await import("./chromium.mjs");

process.exit(
  (await exitOnError(async () => {
    const folder = path.resolve(process.argv[2] ?? path.join(root, ".data/screenshots"));
    await ensureChromium();
    await build();
    const program = ["test", "--config=e2e/screenshots.config.ts"];
    const code = await runInForeground("playwright", program, {
      env: { ...childEnvironment(), SCREENSHOTS_DIR: folder },
    });
    if (code === 0) printLine(`\nThe pictures are in ${folder}`);
    return code;
  })) ?? 0,
);
