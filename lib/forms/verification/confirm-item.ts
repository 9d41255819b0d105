import type { Db } from "@/lib/platform/db/pool";
import { enqueue } from "@/lib/platform/jobs/outbox/enqueue";
import { confirmItems, selectEmailKey, type VerifiedKind } from "./sql";

/**
 * Confirms one item's address in the caller's transaction, because its author used another link emailed to that
 * address. Does nothing if the item doesn't await verification.
 */
export async function confirmItem(db: Db, clientId: string, kind: VerifiedKind, id: string): Promise<void> {
  const emailKey = await selectEmailKey(db, clientId, kind, id);
  const confirmed = emailKey ? await confirmItems(db, clientId, kind, [id], emailKey) : [];
  if (confirmed.length === 0) return;
  await enqueue(db, [
    kind === "review"
      ? { name: "review/verified", data: { client_id: clientId, review_id: id } }
      : { name: "question/verified", data: { client_id: clientId, question_id: id } },
  ]);
}
