import { purgeOf } from "@/lib/platform/db/purge";

/** Deletes delivered outbox events. */
export const purgeOutbox = purgeOf("outbox", { key: "id", timeColumn: "relayed_at", maxAge: "3 days" });

/** Deletes ended runs with their steps. */
export const purgeRuns = purgeOf("job_runs", {
  key: "id",
  timeColumn: "ended_at",
  maxAge: "30 days",
  batchSize: 1_000,
});
