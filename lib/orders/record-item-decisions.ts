import type { Actor } from "@/lib/accounts/actor";
import { now } from "@/lib/platform/clock";
import type { Db } from "@/lib/platform/db/pool";
import { insertItemNotes } from "./portal-sql";

/** What a person decided about asking for an item. `until`: the day on which a hold is over; null = for good. */
export type ItemDecision = { action: "held" | "released" | "sent"; until?: string | null };

/** Writes into the history of items of an order what somebody decided about asking for them. */
export const recordItemDecisions = (
  db: Db,
  clientId: string,
  items: { order_id: string; item_id: string }[],
  { action, until = null }: ItemDecision,
  actor: Pick<Actor, "kind" | "id">,
): Promise<void> => insertItemNotes(db, clientId, items, { action, until, at: now() }, actor);
