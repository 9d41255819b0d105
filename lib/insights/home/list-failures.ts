import { type Actor, maySeePeople } from "@/lib/accounts/actor";
import type { ClientRow } from "@/lib/accounts/stores/get-client";
import { pool } from "@/lib/platform/db/pool";
import { toIsoSeconds } from "@/lib/platform/iso-seconds";
import { type Notices, withNotices } from "@/lib/platform/notices";
import {
  type FailedDeliveryRow,
  type FailedEventsRow,
  type FailedMailRow,
  type FailingConnectionRow,
  type FailingJobRow,
  type FailureCounts,
  selectFailedDeliveries,
  selectFailedEvents,
  selectFailedMails,
  selectFailingConnections,
  selectFailingJobs,
  selectFailureCounts,
} from "./sql";

/** Counts are capped here; the badge shows "99+". */
export const MAX_FAILURES = 99;
const MAX_LISTED = 100;

/** `jobs`: those that fail for the store; for operators those of all stores and of the installation. */
export type Failures = FailureCounts & { jobs: number };

const jobsOf = (actor: Pick<Actor, "role">, client: Pick<ClientRow, "id">, limit: number) =>
  selectFailingJobs(pool(), actor.role === "operator" ? null : client.id, limit);

/** How much failed recently, each count capped at {@link MAX_FAILURES} + 1. */
export async function countFailures(actor: Pick<Actor, "role">, client: Pick<ClientRow, "id">): Promise<Failures> {
  const limit = MAX_FAILURES + 1;
  const [counts, jobs] = await Promise.all([
    selectFailureCounts(pool(), client.id, limit),
    jobsOf(actor, client, limit),
  ]);
  return { ...counts, jobs: jobs.length };
}

/** `created_at` as an ISO string instead of a Date. */
type WithIsoDate<Row extends { created_at: Date }> = Omit<Row, "created_at"> & {
  created_at: string;
};

type WithNotices<Row> = Row & { notices?: Notices };

export type FailureList = {
  mails: (Omit<WithIsoDate<FailedMailRow>, "to" | "subject"> & { to: string | null; subject: string | null })[];
  deliveries: WithNotices<WithIsoDate<FailedDeliveryRow>>[];
  /** webhooks with failed events, each count capped at {@link MAX_FAILURES} + 1 */
  failedEvents: WithNotices<Omit<FailedEventsRow, "happened_at"> & { happened_at: string }>[];
  broken: WithNotices<FailingConnectionRow>[];
  /** `error`: for operators only, as it may contain internals of the installation */
  jobs: (Omit<FailingJobRow, "failed_since" | "failed_at"> & { failed_since: string; failed_at: string })[];
};

/**
 * What failed recently, newest first, at most a hundred of each. `to` and `subject`, which may contain a name, are null
 * for those who may not see people.
 */
export async function listFailures(actor: Pick<Actor, "role">, client: Pick<ClientRow, "id">): Promise<FailureList> {
  const [mails, deliveries, failedEvents, broken, jobs] = await Promise.all([
    selectFailedMails(pool(), client.id, MAX_LISTED),
    selectFailedDeliveries(pool(), client.id, MAX_LISTED),
    selectFailedEvents(pool(), client.id, MAX_FAILURES + 1),
    selectFailingConnections(pool(), client.id),
    jobsOf(actor, client, MAX_LISTED),
  ]);
  const people = maySeePeople(actor);
  return {
    mails: mails.map(({ created_at, to, subject, error, ...mail }) => ({
      ...mail,
      to: people ? to : null,
      subject: people ? subject : null,
      // Email services often repeat the address in their error.
      error: people ? error : (error?.replaceAll(to, "…") ?? null),
      created_at: toIsoSeconds(created_at),
    })),
    deliveries: deliveries.map(({ created_at, ...row }) =>
      withNotices({ ...row, created_at: toIsoSeconds(created_at) }, "reason"),
    ),
    failedEvents: failedEvents.map(({ happened_at, ...row }) =>
      withNotices({ ...row, happened_at: toIsoSeconds(happened_at) }, "error"),
    ),
    broken: broken.map((row) => withNotices(row, "error")),
    jobs: jobs.map(({ failed_since, failed_at, error, ...job }) => ({
      ...job,
      failed_since: toIsoSeconds(failed_since),
      failed_at: toIsoSeconds(failed_at),
      error: actor.role === "operator" ? error : null,
    })),
  };
}
