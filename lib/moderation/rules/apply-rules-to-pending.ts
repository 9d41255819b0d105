import { applyRules, type ModerationCounts } from "@/lib/moderation/rules/apply-rules";
import { pool } from "@/lib/platform/db/pool";
import { type ModeratedKind, moderatedKinds } from "@/lib/reviews/decisions/schema";
import { selectPending } from "./sql";

const BATCH = 50;

/** A position among a client's pending items: by kind, oldest first. */
export type PendingPosition = { kind: ModeratedKind; time: string; id: string };

export const firstPosition: PendingPosition = { kind: moderatedKinds[0], time: "-infinity", id: "" };

/**
 * Applies the rules to a client's next pending items, after the rules were turned on or changed. Returns the results
 * and the position to continue from, null at the end. Skips items that a person moved back to pending.
 */
export async function applyRulesToPending(
  clientId: string,
  after: PendingPosition,
): Promise<ModerationCounts & { next: PendingPosition | null }> {
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
