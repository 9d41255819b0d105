// @ts-check
// npm run -s admin -- <command>: the operator's command. Standard output is the command's alone; set-up, where any is
// needed, is told on standard error.
import { bootstrap, explain, tellOnStandardError } from "./bootstrap.mjs";

tellOnStandardError();
await bootstrap(import.meta.filename);
const { runWithDatabase } = await import("./with-database.mjs");
process.exit((await explain(() => runWithDatabase("app/_admin.ts", process.argv.slice(2)))) ?? 0);
