import type { ClientRow } from "@/lib/clients/get-client";
import { type Db, pool } from "@/lib/db/pool";
import { handsOver } from "@/lib/invitations/rules";
import { takesEvent } from "@/lib/webhooks/takes-event";
import { HANDED_EVENT } from "@/lib/webhooks/values";

/** Whether a sender of the merchant's own is to send the client's mails while no webhook leads to it: then they wait. */
export const nobodySends = async (client: Pick<ClientRow, "id" | "config">, db: Db = pool()): Promise<boolean> =>
  handsOver(client) && !(await takesEvent(db, client.id, HANDED_EVENT));
