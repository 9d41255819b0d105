import path from "node:path";
import { defineConfig } from "vitest/config";

const root = path.resolve(import.meta.dirname, "../..");
const exclude = ["**/node_modules/**", ".next/**", ".data/**", "e2e/**"];

// `*.test.ts` are pure, `*.db.test.ts` have a real PostgreSQL, one database per worker (database.ts).
export default defineConfig({
  root,
  resolve: { alias: { "@": root } },
  test: {
    // One machine with two cores also runs the database.
    maxWorkers: 2,
    pool: "forks",
    testTimeout: 15_000,
    hookTimeout: 30_000,
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
          setupFiles: ["lib/test/environment.ts", "lib/test/database.ts"],
        },
      },
    ],
  },
});
