import type { Day } from "@/lib/invitations/days";
import type { Db } from "@/lib/platform/db/pool";
import type { CountedEvent } from "@/lib/test-clock/schema";

/** What is counted by day: the table's rows by the day of a moment. */
const counted: Record<Exclude<CountedEvent, "deleted">, { from: string; at: string; where?: string }> = {
  orders: { from: "orders", at: "created_at" },
  invitations: { from: "invitations", at: "sent_at", where: "kind <> 'reminder'" },
  reminders: { from: "invitations", at: "sent_at", where: "kind = 'reminder'" },
  expired: {
    from: "invitations",
    at: "expires_at",
    where: "kind <> 'reminder' and status = 'sent' and reviewed_at is null and expires_at <= now()",
  },
  emails: { from: "mails", at: "created_at" },
  reviews: {
    from: "(select client_id, created_at from reviews union all select client_id, created_at from seller_reviews) r",
    at: "created_at",
  },
  published: {
    from: "(select client_id, accepted_at from reviews union all select client_id, accepted_at from seller_reviews) r",
    at: "accepted_at",
  },
  questions: { from: "questions", at: "created_at" },
  webhooks: { from: "webhook_deliveries", at: "tried_at", where: "state = 'sent'" },
};

/** How much of everything there was on each day since `first`, in the store's time zone. */
export async function selectCounts(
  db: Db,
  clientId: string,
  timeZone: string,
  first: Day,
): Promise<{ day: Day; event: CountedEvent; count: number }[]> {
  const parts = Object.entries(counted).map(
    ([
      event,
      { from, at, where },
    ]) => `select (${at} at time zone $2)::date as day, '${event}' as event, count(*)::int as count
       from ${from} where client_id = $1 and ${at} >= $3::date::timestamp at time zone $2${where ? ` and ${where}` : ""} group by 1`,
  );
  const { rows } = await db.query<{ day: Day; event: CountedEvent; count: number }>(parts.join(" union all "), [
    clientId,
    timeZone,
    first,
  ]);
  return rows;
}

/** How often the clock was advanced, newest first: when in real time, by how many days, and what was deleted then. */
export async function selectAdvances(db: Db, clientId: string): Promise<{ at: Date; days: number; removed: number }[]> {
  const { rows } = await db.query<{ at: Date; days: number; removed: number }>(
    `select at, (detail->>'days')::int as days, (detail->>'removed')::int as removed from audit_entries
      where client_id = $1 and action = 'test_clock.advanced' order by at desc, id desc limit 1000`,
    [clientId],
  );
  return rows;
}
