// @ts-check
// npm run double -- <partner>: a partner's system on this machine, for development and tests. Needs no database.
import { bootstrap, childEnvironment, explain, runInForeground } from "./bootstrap.mjs";

await bootstrap(import.meta.filename);
const program = ["--import", "tsx", "lib/tools/fakes/main.ts", ...process.argv.slice(2)];
process.exit((await explain(() => runInForeground(process.execPath, program, { env: childEnvironment() }))) ?? 0);
