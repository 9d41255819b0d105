import type pg from "pg";
import type { Jobs } from "@/lib/platform/jobs/functions";
import type { JobEvent } from "@/lib/platform/jobs/protocol";
import { insertRuns, limitsOf } from "./sql";

/** An event to deliver, with the run that caused it and the offset of its clock. */
export type Delivery = { event: JobEvent; originId: string | null; clockShift: number | null };

/**
 * Delivers events in the caller's transaction: starts a run of each triggered function, once per function and event id.
 * The queue must be open.
 */
export async function deliverEvents(db: pg.PoolClient, jobs: Jobs, deliveries: Delivery[]): Promise<void> {
  const functions = [...jobs.functions.values()];
  await insertRuns(
    db,
    deliveries.flatMap((delivery) =>
      functions
        .filter(({ events }) => events.includes(delivery.event.name))
        .map((found) => ({ functionId: found.id, ...delivery, ...limitsOf(found, delivery.event) })),
    ),
  );
}
