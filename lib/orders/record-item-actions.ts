import type { Actor } from "@/lib/accounts/actor";
import { now } from "@/lib/platform/clock";
import type { Db } from "@/lib/platform/db/pool";
import { insertItemNotes } from "./portal-sql";

/** A person's decision about inviting reviews of an item. `until`: end of a hold; null means no end. */
export type ItemAction = { action: "held" | "released" | "excluded" | "included" | "sent"; until?: string | null };

/** Adds a decision to the histories of an order's items. */
export const recordItemActions = (
  db: Db,
  clientId: string,
  items: { order_id: string; item_id: string }[],
  { action, until = null }: ItemAction,
  actor: Pick<Actor, "kind" | "id">,
): Promise<void> => insertItemNotes(db, clientId, items, { action, until, at: now() }, actor);
