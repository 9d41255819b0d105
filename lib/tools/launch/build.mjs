// @ts-check
// npm run build: packages, generated code, programs, pages: everything that `npm start` would build at its first start.
// For images, so that containers start right away.
import { bootstrap, exitOnError } from "./bootstrap.mjs";
import { build } from "./prepare.mjs";

await bootstrap(import.meta.filename);

process.exit((await exitOnError(build)) ?? 0);
