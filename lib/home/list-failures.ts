import { type Actor, maySeePeople } from "@/lib/auth/actor";
import type { ClientRow } from "@/lib/clients/get-client";
import { pool } from "@/lib/db/pool";
import { seconds } from "@/lib/http/seconds";
import {
  type BrokenRow,
  type FailedDeliveryRow,
  type FailedMailRow,
  type FailureCounts,
  type GivenUpRow,
  selectBroken,
  selectFailedDeliveries,
  selectFailedMails,
  selectFailedRuns,
  selectFailureCounts,
  selectGivenUp,
} from "./sql";

/** Beyond this nobody counts failures at a glance; the number says "99+". */
export const MOST_FAILURES = 99;
/** So many of each kind are shown. */
const SHOWN = 100;

/** `runs`: failed jobs, for operators; null for everybody else. */
export type Failures = FailureCounts & { runs: number | null };

/** How much failed lately, counted up to one more than {@link MOST_FAILURES}. */
export async function countFailures(actor: Pick<Actor, "role">, client: Pick<ClientRow, "id">): Promise<Failures> {
  const most = MOST_FAILURES + 1;
  const [counts, runs] = await Promise.all([
    selectFailureCounts(pool(), client.id, most),
    actor.role === "operator" ? selectFailedRuns(pool(), most) : null,
  ]);
  return { ...counts, runs };
}

/** A moment as text instead of a date. */
type Told<Row extends { created_at: Date }> = Omit<Row, "created_at"> & {
  created_at: string;
};

export type FailureList = {
  mails: (Omit<Told<FailedMailRow>, "to" | "subject"> & { to: string | null; subject: string | null })[];
  deliveries: Told<FailedDeliveryRow>[];
  /** webhooks with events that were given up, each counted up to one more than {@link MOST_FAILURES} */
  givenUp: (Omit<GivenUpRow, "happened_at"> & { happened_at: string })[];
  broken: BrokenRow[];
};

/**
 * What failed lately, newest first, at most a hundred of each. `to` and `subject`, which may
 * hold a name, are null for those who may not see people.
 */
export async function listFailures(actor: Pick<Actor, "role">, client: Pick<ClientRow, "id">): Promise<FailureList> {
  const [mails, deliveries, givenUp, broken] = await Promise.all([
    selectFailedMails(pool(), client.id, SHOWN),
    selectFailedDeliveries(pool(), client.id, SHOWN),
    selectGivenUp(pool(), client.id, MOST_FAILURES + 1),
    selectBroken(pool(), client.id),
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
    deliveries: deliveries.map(({ created_at, ...row }) => ({
      ...row,
      created_at: seconds(created_at),
    })),
    givenUp: givenUp.map(({ happened_at, ...row }) => ({ ...row, happened_at: seconds(happened_at) })),
    broken,
  };
}
