// @ts-check
// npm run build: packages, generated code, pages; all that `npm start` would make at its first start. For images, whose
// containers should find it done.
import { bootstrap, explain } from "./bootstrap.mjs";

await bootstrap(import.meta.filename);
const { buildPages, generateCode } = await import("./prepare.mjs");

process.exit(
  (await explain(async () => {
    await generateCode();
    await buildPages();
  })) ?? 0,
);
