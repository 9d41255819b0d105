import type { LocalTime } from "@/lib/moderation/digests/rules";
import { dayIn } from "@/lib/platform/clock";

/** The local date and hour in a time zone. */
export const localTime = (timeZone: string, at: Date): LocalTime => ({
  day: dayIn(timeZone, at),
  hour: Number.parseInt(
    new Intl.DateTimeFormat("en-GB", { timeZone, hour: "2-digit", hourCycle: "h23" }).format(at),
    10,
  ),
});
