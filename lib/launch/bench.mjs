// @ts-check
// npm run bench: measures the real server. Its database is its own, so nobody's data is touched.
import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { bootstrap, explain, tellOnStandardError } from "./bootstrap.mjs";

if (process.argv.includes("--json")) tellOnStandardError();
await bootstrap(import.meta.filename);
const { buildPages, generateClient } = await import("./prepare.mjs");
const { runWithDatabase } = await import("./with-database.mjs");

process.exit(
  (await explain(async () => {
    const dataDir = mkdtempSync(path.join(os.tmpdir(), "candor-bench-"));
    Object.assign(process.env, { NODE_ENV: "production" });
    if (!process.env.DATABASE_URL) process.env.DATA_DIR = dataDir;
    try {
      await generateClient();
      await buildPages();
      return await runWithDatabase("lib/bench/main.ts", process.argv.slice(2));
    } finally {
      rmSync(dataDir, { recursive: true, force: true });
    }
  })) ?? 0,
);
