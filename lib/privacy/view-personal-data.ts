import type { ClientRow } from "@/lib/accounts/stores/get-client";
import { pool } from "@/lib/platform/db/pool";
import type { Person } from "@/lib/privacy/person";
import type { PersonalData } from "@/lib/privacy/schema";
import { selectPersonalData } from "./sql";

/**
 * Data stored about a person. By id: that customer's rows, and rows without a customer that have one of
 * its current or past addresses. By email: all rows with the address, all customers who have or had it, and their rows.
 * For an unknown person, names are null and lists empty.
 */
export const viewPersonalData = (client: Pick<ClientRow, "id">, person: Person): Promise<PersonalData> =>
  selectPersonalData(pool(), client.id, person);
