import { type ClientRow, getClient, isTestStore, timeZoneOf } from "@/lib/accounts/stores/get-client";
import { countSkipped, listUsedDays } from "@/lib/invitations/count-days";
import { addDays, type Day } from "@/lib/invitations/days";
import { dayIn } from "@/lib/platform/clock";
import { pool } from "@/lib/platform/db/pool";
import { env } from "@/lib/platform/env";
import { AppError } from "@/lib/platform/errors";
import { readToken, signToken } from "@/lib/platform/http/signed-token";
import type { CountedEvent, Recording, RecordingDay } from "@/lib/test-clock/schema";
import { notTestStore, showClock } from "@/lib/test-clock/show-clock";
import { selectAdvances, selectCounts } from "./recording-sql";

/** Days that a recording goes back. */
const MAX_DAYS = 400;
const PURPOSE = "test-recording/2";

/**
 * What happened at a test store by day of its clock, latest first, computed from its rows. Days without anything are left
 * out. Throws `conflict` for another store.
 */
export async function showRecording(client: ClientRow): Promise<Recording> {
  if (!isTestStore(client)) throw notTestStore();
  const zone = timeZoneOf(client);
  const ahead = client.test_days ?? 0;
  const today = dayIn(zone);
  const first = addDays(today, -MAX_DAYS);
  const [counts, advances, used] = await Promise.all([
    selectCounts(pool(), client.id, zone, first),
    selectAdvances(pool(), client.id),
    listUsedDays(client, first, addDays(today, -1)),
  ]);
  const days = new Map<Day, RecordingDay>();
  const on = (day: Day): RecordingDay => {
    const shown = addDays(day, ahead);
    const known = days.get(shown) ?? { day: shown, counts: {}, not_invited: {} };
    days.set(shown, known);
    return known;
  };
  const add = (day: Day, event: CountedEvent, count: number) => {
    const { counts } = on(day);
    counts[event] = (counts[event] ?? 0) + count;
  };
  for (const { day, event, count } of counts) add(day, event, count);
  // The audit log keeps real time: the store's day then was ahead by the days advanced until then.
  let later = 0;
  for (const { at, days: by, removed } of advances) {
    if (removed > 0) add(addDays(dayIn(zone, at), -later), "deleted", removed);
    later += by;
  }
  for (const day of used) {
    const skipped = await countSkipped(client, day);
    if (Object.keys(skipped).length > 0) on(day).not_invited = skipped;
  }
  return {
    name: client.display_name,
    clock: showClock(client),
    days: [...days.values()].sort((a, b) => (a.day < b.day ? 1 : -1)),
  };
}

type LinkedStore = Pick<ClientRow, "id" | "public_key" | "recording_version">;

/** The address of a recording for people without an account. Works until it's replaced, or the store is deleted. */
export const recordingLink = ({ id, public_key, recording_version }: LinkedStore): string =>
  `${env().PUBLIC_URL}/portal/recording/${signToken(PURPOSE, [id, public_key, String(recording_version)])}`;

/**
 * The recording that such a link is for. Throws `not_found`, also if the link was replaced, or the store was deleted and
 * another has its id.
 */
export async function openRecording(token: string): Promise<Recording> {
  const [id, key, version] = readToken(PURPOSE, token, 3) ?? [];
  const client = id === undefined ? null : await getClient(id);
  if (!client || client.public_key !== key || String(client.recording_version) !== version || !isTestStore(client))
    throw new AppError("not_found", { reason: "address_not_found" });
  return showRecording(client);
}
