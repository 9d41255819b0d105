import path from "node:path";
import { defineConfig } from "vitest/config";
import { LongestFirst } from "./longest-first.ts";

const root = path.resolve(import.meta.dirname, "../../..");
const exclude = ["**/node_modules/**", ".next/**", ".data/**", "e2e/**"];

// `*.test.ts` are pure, `*.db.test.ts` have a real PostgreSQL, one database per worker (database.ts). Those of the API run
// again over HTTP against the built service, as `npm start` and as plain `next start` serve it (built.ts).
const database = ["lib/tools/test/environment.ts", "lib/tools/test/database.ts"];
const built = (name: string) => ({
  extends: true as const,
  test: {
    name,
    include: ["app/_routes.db.test.ts", "app/_conformance.db.test.ts", "app/v1/**/*.db.test.ts"],
    exclude: [...exclude, "app/v1/_synchronization.db.test.ts"],
    globalSetup: ["lib/tools/test/built.ts"],
    setupFiles: database,
    // The first request to an address makes Next load it.
    testTimeout: 30_000,
  },
});

// What runs on the oldest supported PostgreSQL, too: the tests that send most of the SQL there is.
const onOldest = [
  "app/v1/{orders,products,questions,reviews,summaries,personal_data}/route.db.test.ts",
  "app/v1/reviews/post.db.test.ts",
  "app/_portal-lists.db.test.ts",
  "lib/insights/analytics/analytics.db.test.ts",
  "lib/moderation/digests/digests.db.test.ts",
  "lib/display/display.db.test.ts",
  "lib/feeds/external-ratings/import-externals.db.test.ts",
  "lib/feeds/import-orders.db.test.ts",
  "lib/insights/home/home.db.test.ts",
  "lib/invitations/{get-funnel,plan-invitations,rehearse,reminders,seller-only,send-invitation}.db.test.ts",
  "lib/platform/jobs/engine.db.test.ts",
  "lib/tools/launch/prepare.db.test.ts",
  "lib/orders/sql.db.test.ts",
  "lib/privacy/{erasure,tables}.db.test.ts",
  "lib/moderation/queue/queue.db.test.ts",
  "lib/display/google-feed/review-feed.db.test.ts",
  "lib/catalog/summaries/*.db.test.ts",
  "lib/transfer/round-trip.db.test.ts",
];

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
          setupFiles: ["lib/tools/test/environment.ts"],
        },
      },
      {
        extends: true,
        test: {
          name: "db",
          include: ["{app,components,inngest,lib,prisma}/**/*.db.test.ts"],
          exclude,
          globalSetup: ["lib/tools/test/cluster.ts"],
          setupFiles: database,
        },
      },
      {
        extends: true,
        test: {
          name: "PostgreSQL 15",
          include: onOldest,
          globalSetup: ["lib/tools/test/cluster.ts"],
          setupFiles: database,
        },
      },
      built("npm start"),
      built("next start"),
    ],
  },
});
