// @ts-check
// npm run bench: measures the real server. Its database is its own (.data/bench, kept for the next run), so nobody's
// data is touched, whatever the settings say.
import path from "node:path";
import { bootstrap, explain, root, tellOnStandardError } from "./bootstrap.mjs";

if (process.argv.includes("--json")) tellOnStandardError();
await bootstrap(import.meta.filename);
const { buildPages, generateClient } = await import("./prepare.mjs");
const { runWithDatabase } = await import("./with-database.mjs");

process.exit(
  (await explain(async () => {
    const own = { DATA_DIR: path.join(root, ".data/bench"), DATABASE_URL: "", CANDOR_SECRET: "" };
    Object.assign(process.env, own, { NODE_ENV: "production" });
    await generateClient();
    await buildPages();
    return await runWithDatabase("lib/bench/main.ts", process.argv.slice(2));
  })) ?? 0,
);
