import type { ClientRow } from "@/lib/accounts/stores/get-client";
import { addDays, type Day } from "@/lib/invitations/days";
import { rulesOf } from "@/lib/invitations/rules";
import { now } from "@/lib/platform/clock";
import { type Db, pool } from "@/lib/platform/db/pool";
import { newId } from "@/lib/platform/ids";
import { enqueue } from "@/lib/platform/jobs/outbox/enqueue";
import { emailKey } from "@/lib/platform/secrets/person-hash";
import { selectRemainingCapacity } from "./plan-sql";
import { type DueReminder, insertReminders, selectDueReminders } from "./reminders-sql";

/** Days from an invitation to its reminder (`config.reminder_after_days`), or null: the client sends none. */
export const reminderDaysOf = ({ config }: ClientRow): number | null =>
  typeof config.reminder_after_days === "number" && config.reminder_after_days > 0 ? config.reminder_after_days : null;

/**
 * Writes down the reminders that go on `day`, at most so many, in the caller's transaction and under the client's lock. A
 * reminder counts as an invitation mail does, for limit and quarantine, and there is never a second one of the same
 * invitation. Answers their ids.
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
 * The day on which an invitation is reminded of if nothing comes of it until then, by the very rules that a run follows;
 * null where none will be. Of those that are due nobody knows whether today's limit has room.
 */
export async function reminderDay(client: ClientRow, invitationId: string, sent: Day, today: Day): Promise<Day | null> {
  const days = reminderDaysOf(client);
  if (days === null) return null;
  const first = addDays(sent, days);
  const day = first > today ? first : today;
  const due = await selectDueReminders(pool(), client.id, rulesOf(client), days, day, 1, invitationId);
  return due.length > 0 ? day : null;
}

/** The reminders that would go on `day` beside the invitations to these addresses; writes nothing. */
export async function planReminders(client: ClientRow, day: Day, invited: string[]): Promise<DueReminder[]> {
  const days = reminderDaysOf(client);
  if (days === null) return [];
  const rules = rulesOf(client);
  const room = Math.max(0, (await selectRemainingCapacity(pool(), client.id, rules, day)) - invited.length);
  const people = new Set(invited.map(emailKey));
  const due = await selectDueReminders(pool(), client.id, rules, days, day, room + people.size);
  return due.filter(({ email_key }) => !people.has(email_key)).slice(0, room);
}
