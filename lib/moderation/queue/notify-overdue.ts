import { notify } from "@/lib/accounts/notifications/notify";
import { now } from "@/lib/platform/clock";
import { pool, transaction } from "@/lib/platform/db/pool";
import { selectOverdueClients } from "./sql";

/** An item is overdue after this many hours in the queue. */
const OVERDUE_HOURS = 48;
/** Less than a day, so that the notification of the next day isn't an hour later each time. */
const QUIET_HOURS = 23;
/** Stores per statement. */
const BATCH_SIZE = 200;

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
