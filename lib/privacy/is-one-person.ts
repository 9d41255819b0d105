import { pool } from "@/lib/platform/db/pool";
import { selectIsOnePerson } from "./sql";

/**
 * Whether everything found by a normalized address is of one person, so that who has the mailbox may get and erase it.
 * False if it is or was an address of a customer who has others too: of a shared customer id ("guest"), say, or one that
 * was passed on.
 */
export const isOnePerson = (clientId: string, email: string): Promise<boolean> =>
  selectIsOnePerson(pool(), clientId, email);
