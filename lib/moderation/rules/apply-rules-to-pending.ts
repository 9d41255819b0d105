import { applyRules, type Tally } from "@/lib/moderation/rules/apply-rules";
import { pool } from "@/lib/platform/db/pool";
import { type ModeratedKind, moderatedKinds } from "@/lib/reviews/decisions/schema";
import { selectPending } from "./sql";

const BATCH = 50;

/** A place among the items that wait at a client: kind by kind, in the order in which they came. */
export type PendingPosition = { kind: ModeratedKind; time: string; id: string };

export const firstPosition: PendingPosition = { kind: moderatedKinds[0], time: "-infinity", id: "" };

/**
 * Judges the next items that wait at a client, after its rules were switched on or changed. Answers what became of them
 * and the place to go on from, null at the end. Those that a person took back wait for a person still.
 */
export async function applyRulesToPending(
  clientId: string,
  after: PendingPosition,
): Promise<Tally & { next: PendingPosition | null }> {
  const { kind } = after;
  const pending = await selectPending(pool(), clientId, kind, after, BATCH);
  const tally = await applyRules(
    clientId,
    kind,
    pending.map(({ id }) => id),
  );
  const last = pending.at(-1);
  const following = moderatedKinds[moderatedKinds.indexOf(kind) + 1];
  if (last && pending.length === BATCH) return { ...tally, next: { kind, ...last } };
  return { ...tally, next: following ? { ...firstPosition, kind: following } : null };
}
