// @ts-check
// npm run build: packages, generated code, programs, pages: all that `npm start` would make at its first start. For images, whose
// containers should find it done.
import { bootstrap, explain } from "./bootstrap.mjs";
import { build } from "./prepare.mjs";

await bootstrap(import.meta.filename);

process.exit((await explain(build)) ?? 0);
