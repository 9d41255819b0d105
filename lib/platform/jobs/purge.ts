import { purgeOf } from "@/lib/platform/db/purge";

/** Removes facts that were delivered. */
export const purgeOutbox = purgeOf("outbox", { key: "id", by: "relayed_at", after: "3 days" });

/** Removes runs that ended, with their steps. */
export const purgeRuns = purgeOf("job_runs", { key: "id", by: "ended_at", after: "30 days", most: 1_000 });
