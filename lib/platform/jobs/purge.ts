import { createPurge } from "@/lib/platform/db/purge";

/** Deletes delivered outbox events. */
export const purgeOutbox = createPurge("outbox", { key: "id", timeColumn: "relayed_at", maxAge: "3 days" });

/** Deletes ended runs with their steps. */
export const purgeRuns = createPurge("job_runs", {
  key: "id",
  timeColumn: "ended_at",
  maxAge: "30 days",
  batchSize: 1_000,
});
