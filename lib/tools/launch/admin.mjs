// @ts-check
// npm run -s admin -- <command>: the admin command, with the database running: the server's, or one started meanwhile.
// Standard output is the command's alone; progress of a setup goes to standard error.
import { bootstrap, childEnvironment, exitOnError, logToStderr, runInForeground } from "./bootstrap.mjs";
import { adminCommand, buildPrograms, isBuilt } from "./prepare.mjs";

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
    return await runInForeground(process.execPath, [...adminCommand, ...process.argv.slice(2)], {
      env: childEnvironment(),
    });
  } finally {
    await database.release();
  }
}
