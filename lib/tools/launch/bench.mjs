// @ts-check
// npm run bench: measures the real server. Its database is its own (.data/bench, kept for the next run), so nobody's
// data is touched, whatever the settings say.
import path from "node:path";
import { bootstrap, childEnvironment, exitOnError, logToStderr, root, runInForeground } from "./bootstrap.mjs";
import { build } from "./prepare.mjs";

if (process.argv.includes("--json")) logToStderr();
await bootstrap(import.meta.filename);
const { joinCluster } = await import("./postgres.mjs");

process.exit(
  (await exitOnError(async () => {
    await build();
    // Held here too, so that the database stops whatever becomes of the measuring process.
    const cluster = await joinCluster(path.join(root, ".data/bench"));
    try {
      const program = ["--import", "tsx", "lib/tools/bench/main.ts", ...process.argv.slice(2)];
      return await runInForeground(process.execPath, program, { env: childEnvironment() });
    } finally {
      await cluster.release();
    }
  })) ?? 0,
);
