import type { ClientRow } from "@/lib/accounts/stores/get-client";
import { handsOver } from "@/lib/invitations/rules";
import { takesEvent } from "@/lib/invitations/takes-event";
import { HANDED_EVENT } from "@/lib/invitations/values";
import { type Db, pool } from "@/lib/platform/db/pool";

/** Whether a sender of the merchant's own is to send the client's mails while no webhook leads to it: then they wait. */
export const hasNoSender = async (client: Pick<ClientRow, "id" | "config">, db: Db = pool()): Promise<boolean> =>
  handsOver(client) && !(await takesEvent(db, client.id, HANDED_EVENT));
