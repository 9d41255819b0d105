import { type Actor, maySeePeople } from "@/lib/accounts/actor";
import { hidesStars } from "@/lib/accounts/hides-stars";
import type { ItemReader } from "@/lib/moderation/queue/serialize";

/** What an actor sees of a store's items. */
export const readerOf = async (actor: Pick<Actor, "id" | "role">, clientId: string): Promise<ItemReader> => ({
  people: maySeePeople(actor),
  hidesStars: await hidesStars(actor, clientId),
});
