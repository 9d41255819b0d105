import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import { defineConfig } from "vitest/config";
import { SlowTestsFirst } from "./slow-tests-first.ts";

const root = path.resolve(import.meta.dirname, "../../..");
const exclude = ["**/node_modules/**", ".next/**", ".data/**", "e2e/**"];
const ours = "{app,components,inngest,lib,prisma}/**";

// `*.test.ts` are pure; `*.db.test.ts` use a real PostgreSQL, one database per worker (database.ts). `*.soak.test.ts`
// take minutes and run with `npm run test:soak`. Tests of the API run again over HTTP against the built service
// (built-service.ts).
const database = ["lib/tools/test/environment.ts", "lib/tools/test/database.ts"];
const onDatabase = {
  globalSetup: ["lib/tools/test/cluster.ts"],
  setupFiles: [...database, "lib/tools/test/fast-password-hash.ts"],
};
const overHttp = ["app/_routes.db.test.ts", "app/_conformance.db.test.ts"];
const allOverHttp = [...overHttp, "app/v1/**/*.db.test.ts"];
const built = (name: string, include: string[], maxWorkers = 4) => ({
  extends: true as const,
  test: {
    name,
    include,
    exclude,
    maxWorkers,
    globalSetup: ["lib/tools/test/built-service.ts"],
    setupFiles: database,
  },
});

// Loading modules takes as long as the tests, so the files of a worker share them. Files that mock modules or change
// settings, themselves or through a helper, get a process of their own. The settings listed here are read at each use
// and forgotten after each file (environment.ts), which may therefore change them at its top; others are changed and
// restored by with-settings.ts.
const own = globSync(`${ours}/*.test.{ts,tsx}`, { cwd: root }).filter((file) =>
  /\bvi\.(mock|hoisted|resetModules|stubEnv)\b|\bprocess\.env\.(?!(ALLOW_PRIVATE_URLS|RATE_LIMITS|TRUST_PROXY) =)\w+ = |\b(delete |assign\()process\.env\b|reloadWithEnvironment|startService/.test(
    readFileSync(path.join(root, file), "utf8"),
  ),
);

// Always run on the oldest supported PostgreSQL: the most complex statements of each kind. The others run there in the
// soak tests.
const onOldest = [
  "lib/catalog/summaries/*.db.test.ts",
  "lib/display/display.db.test.ts",
  "lib/invitations/{send-invitation,seller-only}.db.test.ts",
  "lib/moderation/queue/queue.db.test.ts",
  "lib/orders/sql.db.test.ts",
  "lib/privacy/tables.db.test.ts",
  "lib/tools/launch/migrate.db.test.ts",
  "prisma/full-schema.db.test.ts",
];
const ownOnOldest = globSync(onOldest, { cwd: root }).filter((file) => own.includes(file));
// The project of the oldest PostgreSQL leaves out files with a process of their own.
if (ownOnOldest.length > 0)
  throw new Error(
    `On PostgreSQL 15 these files, which need a process of their own, never run: ${ownOnOldest.join(", ")}`,
  );
// Soak tests that measure memory or simulate partners' failures, independent of the PostgreSQL version.
const independentOfPostgres = [
  "inngest/rate-limits.soak.test.ts",
  "lib/feeds/*-memory.soak.test.ts",
  "lib/honesty/log/*.soak.test.ts",
  "lib/integrations/**/*.soak.test.ts",
  "lib/invitations/year.soak.test.ts",
  "lib/platform/patterns.soak.test.ts",
  "lib/transfer/large.soak.test.ts",
];

export default defineConfig({
  root,
  resolve: { alias: { "@": root } },
  // The message files as JSON text: as modules with an export for each of 10,000 messages they took 0.3 s per test file.
  json: { stringify: true, namedExports: false },
  test: {
    // Tests wait for the database, other processes and fake servers about as long as they compute: twice the two cores
    // of a small machine.
    maxWorkers: 4,
    pool: "forks",
    // Long enough for a busy machine.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // Polled results arrive quickly, but on a busy machine not always within a second.
    expect: { poll: { timeout: 10_000 } },
    sequence: { sequencer: SlowTestsFirst },
    projects: [
      {
        extends: true,
        test: {
          name: "unit",
          include: [`${ours}/*.test.{ts,tsx}`],
          exclude: [...exclude, "**/*.{db,soak}.test.ts", ...own],
          isolate: false,
          setupFiles: ["lib/tools/test/environment.ts"],
        },
      },
      {
        extends: true,
        test: {
          name: "unit, own process",
          include: own,
          exclude: [...exclude, "**/*.{db,soak}.test.ts"],
          setupFiles: ["lib/tools/test/environment.ts"],
        },
      },
      {
        extends: true,
        test: {
          name: "db",
          include: [`${ours}/*.db.test.ts`],
          exclude: [...exclude, ...own],
          isolate: false,
          ...onDatabase,
        },
      },
      {
        extends: true,
        test: { name: "db, own process", include: own.filter((file) => file.endsWith(".db.test.ts")), ...onDatabase },
      },
      {
        extends: true,
        test: { name: "soak", include: [`${ours}/*.soak.test.ts`], exclude, ...onDatabase },
      },
      {
        extends: true,
        test: {
          name: "PostgreSQL 15",
          include: onOldest,
          exclude: [...exclude, ...own],
          isolate: false,
          ...onDatabase,
        },
      },
      {
        extends: true,
        test: {
          name: "PostgreSQL 15, all",
          include: [`${ours}/*.{db,soak}.test.ts`],
          // The last two use both clusters, or the command, which starts its own.
          exclude: [...exclude, ...onOldest, ...independentOfPostgres, "lib/tools/launch/**", "lib/backup/**"],
          ...onDatabase,
        },
      },
      // A server for each of its two files.
      built("npm start", overHttp, overHttp.length),
      built("npm start, all", allOverHttp),
      built("next start", allOverHttp),
    ],
  },
});
