import type { ClientRow } from "@/lib/accounts/stores/get-client";
import { usesExternalSender } from "@/lib/invitations/rules";
import { DELEGATED_EVENT } from "@/lib/invitations/values";
import { hasSubscriber } from "@/lib/invitations/webhook-subscribers";
import { type Db, pool } from "@/lib/platform/db/pool";

/** Whether the client uses an external sender but no webhook leads to it. Then emails wait. */
export const hasNoSender = async (
  client: Pick<ClientRow, "id" | "config" | "test_days">,
  db: Db = pool(),
): Promise<boolean> => usesExternalSender(client) && !(await hasSubscriber(db, client.id, DELEGATED_EVENT));
