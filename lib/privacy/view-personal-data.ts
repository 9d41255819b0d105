import type { ClientRow } from "@/lib/accounts/stores/get-client";
import { pool } from "@/lib/platform/db/pool";
import type { Person } from "@/lib/privacy/person";
import type { PersonalData } from "@/lib/privacy/schema";
import { selectPersonalData } from "./sql";

/**
 * What is stored about a person (decisions 5). By id: that customer's rows, and rows without a customer that carry one of
 * its present or past addresses. By e-mail: every row with the address, all customers who have or had it, and theirs.
 * Of nobody known, names are null and lists empty.
 */
export const viewPersonalData = (client: Pick<ClientRow, "id">, person: Person): Promise<PersonalData> =>
  selectPersonalData(pool(), client.id, person);
