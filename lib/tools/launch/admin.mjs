// @ts-check
// npm run -s admin -- <command>: the operator's command, with the database up: the running server's, or one started for
// the while. Standard output is the command's alone; set-up, where any is needed, is told on standard error.
import { bootstrap, childEnvironment, exitOnError, logToStderr, runInForeground } from "./bootstrap.mjs";
import { buildPrograms, isBuilt } from "./prepare.mjs";

logToStderr();
await bootstrap(import.meta.filename, isBuilt);
const { openDatabase } = await import("./database.mjs");
const { loadSettings } = await import("./settings.mjs");

process.exit((await exitOnError(admin)) ?? 0);

async function admin() {
  const settings = loadSettings();
  await buildPrograms();
  const database = await openDatabase(settings);
  try {
    // A larger young generation lets garbage of streamed imports pile up to 100 MB; with this they stay small.
    const program = ["--max-semi-space-size=16", "--enable-source-maps", "dist/admin.js"];
    return await runInForeground(process.execPath, [...program, ...process.argv.slice(2)], { env: childEnvironment() });
  } finally {
    await database.release();
  }
}
