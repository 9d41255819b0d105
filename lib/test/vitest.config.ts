import path from "node:path";
import { defineConfig } from "vitest/config";
import { LongestFirst } from "./longest-first.ts";

const root = path.resolve(import.meta.dirname, "../..");
const exclude = ["**/node_modules/**", ".next/**", ".data/**", "e2e/**"];

// `*.test.ts` are pure, `*.db.test.ts` have a real PostgreSQL, one database per worker (database.ts). Those of the API run
// again over HTTP against the built service, as `npm start` and as plain `next start` serve it (built.ts).
const database = ["lib/test/environment.ts", "lib/test/database.ts"];
const built = (name: string) => ({
  extends: true as const,
  test: {
    name,
    include: ["app/_routes.db.test.ts", "app/_conformance.db.test.ts", "app/v1/**/*.db.test.ts"],
    exclude: [...exclude, "app/v1/_synchronization.db.test.ts"],
    globalSetup: ["lib/test/built.ts"],
    setupFiles: database,
    // The first request to an address makes Next load it.
    testTimeout: 30_000,
  },
});

export default defineConfig({
  root,
  resolve: { alias: { "@": root } },
  test: {
    // One machine with two cores also runs the database.
    maxWorkers: 2,
    pool: "forks",
    testTimeout: 15_000,
    hookTimeout: 30_000,
    // What is waited for comes at once, but on a busy machine not always within a second.
    expect: { poll: { timeout: 10_000 } },
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        extends: true,
        test: {
          name: "unit",
          include: ["{app,components,inngest,lib,prisma}/**/*.test.{ts,tsx}"],
          exclude: [...exclude, "**/*.db.test.ts"],
          setupFiles: ["lib/test/environment.ts"],
        },
      },
      {
        extends: true,
        test: {
          name: "db",
          include: ["{app,components,inngest,lib,prisma}/**/*.db.test.ts"],
          exclude,
          globalSetup: ["lib/test/cluster.ts"],
          setupFiles: database,
        },
      },
      built("npm start"),
      built("next start"),
    ],
  },
});
