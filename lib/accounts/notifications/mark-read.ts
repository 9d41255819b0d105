import type { Actor } from "@/lib/accounts/actor";
import { now } from "@/lib/platform/clock";
import { pool } from "@/lib/platform/db/pool";
import { AppError } from "@/lib/platform/errors";
import { updateAllRead, updateRead } from "./sql";

/** Marks one of the caller's notifications as read. Idempotent. Throws `not_found`. */
export async function markRead(actor: Pick<Actor, "id">, id: string): Promise<void> {
  const isFound = /^\d{1,18}$/.test(id) && (await updateRead(pool(), actor.id, id, now()));
  if (!isFound) throw new AppError("not_found", { reason: "notification_not_found" });
}

/** Marks the caller's notifications as read that last happened up to a time. Idempotent. */
export const markAllRead = (actor: Pick<Actor, "id">, upTo: string): Promise<void> =>
  updateAllRead(pool(), actor.id, upTo, now());
