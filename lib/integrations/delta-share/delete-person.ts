import { recordErasedHashes } from "@/lib/orders/erased-hashes";
import type { Db } from "@/lib/platform/db/pool";
import { deleteContacts } from "./sql";

/**
 * Deletes a person's rows of a data share: contacts with this customer id or normalized email, their receipts, and
 * records of their rejected rows. Contacts and receipts are remembered as keyed hashes, since the share keeps offering
 * them. Returns the number of deleted rows.
 */
export async function deletePersonRows(
  db: Db,
  clientId: string,
  whose: { customer: string } | { email: string },
): Promise<number> {
  const { contacts, receipts, count } = await deleteContacts(db, clientId, whose);
  await recordErasedHashes(db, clientId, "contact", contacts);
  await recordErasedHashes(db, clientId, "receipt", receipts);
  return count;
}
