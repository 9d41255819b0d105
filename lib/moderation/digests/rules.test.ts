import { expect, test } from "vitest";
import { addDays } from "@/lib/invitations/days";
import { dueDay, initialLastDay } from "@/lib/moderation/digests/rules";

// 1 June 2026 is a Monday.
const monday = "2026-06-01";

test.each(["day", "week"])(
  "is due once per %s, whatever hour it started at, at its hour or at the next check",
  (every) => {
    for (let startHour = 0; startHour < 7 * 24; startHour += 5) {
      for (const hour of [0, 8, 23]) {
        const start = { day: addDays(monday, Math.floor(startHour / 24)), hour: startHour % 24 };
        let done = initialLastDay(hour, start);
        const dueDays: string[] = [];
        for (let at = startHour; at < 28 * 24; at += 1) {
          if (at % 7 === 3) continue; // no check
          const now = { day: addDays(monday, Math.floor(at / 24)), hour: at % 24 };
          const due = dueDay({ every, hour }, done, now);
          if (due === null) continue;
          expect(now.hour).toBeGreaterThanOrEqual(hour);
          expect(due <= now.day && due > done).toBe(true);
          dueDays.push(due);
          done = due;
        }
        expect(new Set(dueDays).size).toBe(dueDays.length);
        if (every === "week")
          for (const day of dueDays) expect((Date.parse(day) - Date.parse(monday)) % (7 * 86_400_000)).toBe(0);
        // A digest at hour 23 is lost on days without a check in that hour.
        const days = every === "week" ? 3 : hour === 23 ? 15 : 20;
        expect(dueDays.length).toBeGreaterThanOrEqual(days);
        expect((dueDays[0] ?? "") >= start.day, "the first is one to come").toBe(true);
      }
    }
  },
);
