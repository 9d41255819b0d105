// @ts-check
// npm run fake -- <partner>: a partner's system on this machine, for development and tests. Needs no database.
import { bootstrap, childEnvironment, exitOnError, runInForeground } from "./bootstrap.mjs";

await bootstrap(import.meta.filename);
const program = ["--import", "tsx", "lib/tools/fakes/main.ts", ...process.argv.slice(2)];
process.exit((await exitOnError(() => runInForeground(process.execPath, program, { env: childEnvironment() }))) ?? 0);
