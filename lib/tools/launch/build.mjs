// @ts-check
// npm run build: packages, generated code, programs, pages: all that `npm start` would make at its first start. For images, whose
// containers should find it done.
import { bootstrap, exitOnError } from "./bootstrap.mjs";
import { build } from "./prepare.mjs";

await bootstrap(import.meta.filename);

process.exit((await exitOnError(build)) ?? 0);
