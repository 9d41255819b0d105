import type { EditSubject } from "@/lib/forms/edit/links";
import type { Db } from "@/lib/platform/db/pool";
import { personHash } from "@/lib/platform/secrets/person-hash";

const tables = { review: "reviews", seller_review: "seller_reviews", question: "questions" };

/**
 * Whether the link's holder is still the author, according to the item's current address. `hold` locks the row until
 * the transaction ends. A changed address belongs to another person, who never got the link.
 */
export async function isAuthor(
  db: Db,
  { clientId, kind, id, holder }: EditSubject,
  { lock }: { lock: boolean } = { lock: false },
): Promise<boolean> {
  const { rows } = await db.query<{ author_email: string | null }>(
    `select author_email from ${tables[kind]} where client_id = $1 and id = $2 ${lock ? "for update" : ""}`,
    [clientId, id],
  );
  const email = rows[0]?.author_email ?? null;
  return email !== null && personHash(clientId, "email", email) === holder;
}
