import type { Db } from "@/lib/platform/db/pool";
import { enqueue } from "@/lib/platform/jobs/outbox/enqueue";
import { confirmItems, selectEmailKey, type VerifiedKind } from "./sql";

/**
 * Confirms, in the caller's transaction, the address of one item that waits for it: its author came by another link that
 * was mailed there. Nothing where it does not wait.
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
