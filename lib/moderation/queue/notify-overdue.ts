import { notify } from "@/lib/accounts/notifications/notify";
import type { ClientRow } from "@/lib/accounts/stores/get-client";
import { now } from "@/lib/platform/clock";
import { pool, transaction } from "@/lib/platform/db/pool";
import { selectOldestPending, selectOverdueClients } from "./sql";

/** An item is overdue after this many hours in the queue. */
const OVERDUE_HOURS = 48;
/** Less than a day, so that the notification of the next day isn't an hour later each time. */
const QUIET_HOURS = 23;
/** Stores per statement. */
const BATCH_SIZE = 200;

/** When the next pending item of a client becomes overdue. Null if none does, or its people don't moderate there. */
export async function nextOverdueAt(
  client: Pick<ClientRow, "id" | "own_moderation" | "require_verification">,
): Promise<Date | null> {
  if (!client.own_moderation) return null;
  const hours = OVERDUE_HOURS * 3_600_000;
  const oldest = await selectOldestPending(pool(), client, new Date(now().getTime() - hours));
  return oldest && new Date(oldest.getTime() + hours);
}

const overdue = { kind: "moderation_overdue", dedupeKey: "moderation_overdue", quietHours: QUIET_HOURS } as const;

/**
 * Notifies moderators of stores whose items have been pending for too long, once a day, and operators of the stores that
 * leave moderation to them, all in one. Of some clients, or of all (null). Returns how many clients have overdue items.
 */
export async function notifyOverdue(clientIds: string[] | null): Promise<number> {
  const clients = await selectOverdueClients(pool(), clientIds, new Date(now().getTime() - OVERDUE_HOURS * 3_600_000));
  const own = clients.filter(({ own_moderation }) => own_moderation);
  const stores = clients.length - own.length;
  for (let at = 0; at < own.length; at += BATCH_SIZE) {
    const batch = own.slice(at, at + BATCH_SIZE).map(({ id }) => ({
      ...overdue,
      clientId: id,
      to: { role: "moderator" } as const,
      params: { hours: OVERDUE_HOURS },
      path: "/portal/queue",
    }));
    await transaction((db) => notify(db, ...batch));
  }
  if (stores > 0)
    await transaction((db) =>
      notify(db, {
        ...overdue,
        clientId: null,
        to: { role: "operator" },
        params: { hours: OVERDUE_HOURS, stores },
        path: "/portal",
      }),
    );
  return clients.length;
}
