// @ts-check
// npm run bench: measures the real server. It uses its own database (.data/bench, reused by the next run), whatever the
// settings say, so it touches no user data.
import path from "node:path";
import { bootstrap, childEnvironment, exitOnError, logToStderr, root, runInForeground } from "./bootstrap.mjs";
import { build } from "./prepare.mjs";

if (process.argv.includes("--json")) logToStderr();
await bootstrap(import.meta.filename);
const { joinCluster } = await import("./postgres.mjs");

process.exit(
  (await exitOnError(async () => {
    await build();
    // Joined here too, so that the database stops even if the measuring process crashes.
    const cluster = await joinCluster(path.join(root, ".data/bench"));
    try {
      const program = ["--import", "tsx", "lib/tools/bench/main.ts", ...process.argv.slice(2)];
      return await runInForeground(process.execPath, program, { env: childEnvironment() });
    } finally {
      await cluster.release();
    }
  })) ?? 0,
);
