import { type Actor, maySeePeople } from "@/lib/accounts/actor";
import type { ClientRow } from "@/lib/accounts/stores/get-client";
import { pool } from "@/lib/platform/db/pool";
import { type Notices, withNotices } from "@/lib/platform/notices";
import { seconds } from "@/lib/platform/seconds";
import {
  type BrokenRow,
  type FailedDeliveryRow,
  type FailedMailRow,
  type FailingJobRow,
  type FailureCounts,
  type GivenUpRow,
  selectBroken,
  selectFailedDeliveries,
  selectFailedMails,
  selectFailingJobs,
  selectFailureCounts,
  selectGivenUp,
} from "./sql";

/** Beyond this nobody counts failures at a glance; the number says "99+". */
export const MOST_FAILURES = 99;
const SHOWN = 100;

/** `jobs`: those that fail for the store; for operators those of all stores, and of the installation. */
export type Failures = FailureCounts & { jobs: number };

const jobsOf = (actor: Pick<Actor, "role">, client: Pick<ClientRow, "id">, most: number) =>
  selectFailingJobs(pool(), actor.role === "operator" ? null : client.id, most);

/** How much failed lately, counted up to one more than {@link MOST_FAILURES}. */
export async function countFailures(actor: Pick<Actor, "role">, client: Pick<ClientRow, "id">): Promise<Failures> {
  const most = MOST_FAILURES + 1;
  const [counts, jobs] = await Promise.all([selectFailureCounts(pool(), client.id, most), jobsOf(actor, client, most)]);
  return { ...counts, jobs: jobs.length };
}

/** A moment as text instead of a date. */
type Told<Row extends { created_at: Date }> = Omit<Row, "created_at"> & {
  created_at: string;
};

type Noted<Row> = Row & { notices?: Notices };

export type FailureList = {
  mails: (Omit<Told<FailedMailRow>, "to" | "subject"> & { to: string | null; subject: string | null })[];
  deliveries: Noted<Told<FailedDeliveryRow>>[];
  /** webhooks with events that were given up, each counted up to one more than {@link MOST_FAILURES} */
  givenUp: Noted<Omit<GivenUpRow, "happened_at"> & { happened_at: string }>[];
  broken: Noted<BrokenRow>[];
  /** `error`: for operators only, as it may speak of the installation's insides */
  jobs: (Omit<FailingJobRow, "failed_since" | "failed_at"> & { failed_since: string; failed_at: string })[];
};

/**
 * What failed lately, newest first, at most a hundred of each. `to` and `subject`, which may
 * hold a name, are null for those who may not see people.
 */
export async function listFailures(actor: Pick<Actor, "role">, client: Pick<ClientRow, "id">): Promise<FailureList> {
  const [mails, deliveries, givenUp, broken, jobs] = await Promise.all([
    selectFailedMails(pool(), client.id, SHOWN),
    selectFailedDeliveries(pool(), client.id, SHOWN),
    selectGivenUp(pool(), client.id, MOST_FAILURES + 1),
    selectBroken(pool(), client.id),
    jobsOf(actor, client, SHOWN),
  ]);
  const people = maySeePeople(actor);
  return {
    mails: mails.map(({ created_at, to, subject, error, ...mail }) => ({
      ...mail,
      to: people ? to : null,
      subject: people ? subject : null,
      // Services like to repeat the address in what they answer.
      error: people ? error : (error?.replaceAll(to, "…") ?? null),
      created_at: seconds(created_at),
    })),
    deliveries: deliveries.map(({ created_at, ...row }) =>
      withNotices({ ...row, created_at: seconds(created_at) }, "reason"),
    ),
    givenUp: givenUp.map(({ happened_at, ...row }) =>
      withNotices({ ...row, happened_at: seconds(happened_at) }, "error"),
    ),
    broken: broken.map((row) => withNotices(row, "error")),
    jobs: jobs.map(({ failed_since, failed_at, error, ...job }) => ({
      ...job,
      failed_since: seconds(failed_since),
      failed_at: seconds(failed_at),
      error: actor.role === "operator" ? error : null,
    })),
  };
}
