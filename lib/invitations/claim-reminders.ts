import type { ClientRow } from "@/lib/accounts/stores/get-client";
import { addDays, type Day } from "@/lib/invitations/days";
import { rulesOf } from "@/lib/invitations/rules";
import { now } from "@/lib/platform/clock";
import { type Db, pool } from "@/lib/platform/db/pool";
import { newId } from "@/lib/platform/ids";
import { enqueue } from "@/lib/platform/jobs/outbox/enqueue";
import { emailKey } from "@/lib/platform/secrets/person-hash";
import { type DueReminder, insertReminders, selectDueReminders } from "./reminders-sql";
import { selectRemainingCapacity } from "./rules-sql";

/** Days from an invitation to its reminder (`config.reminder_after_days`). Null if the client sends no reminders. */
export const reminderDaysOf = ({ config }: ClientRow): number | null =>
  typeof config.reminder_after_days === "number" && config.reminder_after_days > 0 ? config.reminder_after_days : null;

/**
 * Claims up to `limit` reminders for `day`. Call it in a transaction that holds the client's lock. A reminder counts
 * toward the limit and the cooldown like an invitation, and each invitation has at most one. Returns their ids.
 */
export async function claimReminders(db: Db, client: ClientRow, day: Day, limit: number): Promise<string[]> {
  const days = reminderDaysOf(client);
  if (days === null) return [];
  const due = await selectDueReminders(db, client.id, rulesOf(client), days, day, limit);
  const reminders = due.map((reminder) => ({
    ...reminder,
    id: newId("inv"),
  }));
  if (reminders.length === 0) return [];
  await insertReminders(db, client.id, day, now(), reminders);
  await enqueue(
    db,
    reminders.map(({ id }) => ({ name: "invitation/scheduled", data: { client_id: client.id, invitation_id: id } })),
  );
  return reminders.map(({ id }) => id);
}

/**
 * The day an invitation's reminder will be sent if there is no response, by the rules of the jobs. Null if none will
 * be. Doesn't consider whether today's limit has room.
 */
export async function reminderDay(client: ClientRow, invitationId: string, sent: Day, today: Day): Promise<Day | null> {
  const days = reminderDaysOf(client);
  if (days === null) return null;
  const first = addDays(sent, days);
  const day = first > today ? first : today;
  const due = await selectDueReminders(pool(), client.id, rulesOf(client), days, day, 1, invitationId);
  return due.length > 0 ? day : null;
}

/** The reminders to send on `day` besides the invitations to these addresses. Read-only. */
export async function listDueReminders(client: ClientRow, day: Day, invited: string[]): Promise<DueReminder[]> {
  const days = reminderDaysOf(client);
  if (days === null) return [];
  const rules = rulesOf(client);
  const capacity = Math.max(0, (await selectRemainingCapacity(pool(), client.id, rules, day)) - invited.length);
  const people = new Set(invited.map(emailKey));
  const due = await selectDueReminders(pool(), client.id, rules, days, day, capacity + people.size);
  return due.filter(({ email_key }) => !people.has(email_key)).slice(0, capacity);
}
