import type { ClientRow } from "@/lib/accounts/stores/get-client";
import { pool } from "@/lib/platform/db/pool";
import type { SetupChange } from "./schema";
import { updateSetup } from "./sql";

/** Skips a step or shows it again, leaves the steps out of the home page, and remembers the platform. */
export async function changeSetup(client: Pick<ClientRow, "id">, change: SetupChange): Promise<undefined> {
  await updateSetup(pool(), client.id, change);
}
