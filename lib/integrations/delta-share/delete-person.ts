import { recordErasedHashes } from "@/lib/orders/erased";
import type { Db } from "@/lib/platform/db/pool";
import { deleteContacts } from "./sql";

/**
 * Removes what a data share told of a person: contacts that are this customer, or have this address as it is compared, with
 * their receipts, and what is said of rows that could not be taken. Both are remembered by keyed hash, since the share goes on
 * telling of them. Answers how many rows went.
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
