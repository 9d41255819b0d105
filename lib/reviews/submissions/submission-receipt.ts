import { pool } from "@/lib/platform/db/pool";
import { type ReceiptKind, receiptToken } from "@/lib/platform/http/honesty-page";
import { readSalts } from "@/lib/reviews/decisions/item-reference";
import type { InsertedSubmission } from "@/lib/reviews/submissions/insert-submissions";

/** The receipt's token of a submission that was just stored; null if the item was deleted meanwhile. */
export async function submissionReceipt(
  clientId: string,
  kind: ReceiptKind,
  { id, salt }: InsertedSubmission,
): Promise<string | null> {
  const known = salt ?? (await readSalts(pool(), clientId, kind, [id])).get(id);
  return known ? receiptToken(kind, id, known) : null;
}
