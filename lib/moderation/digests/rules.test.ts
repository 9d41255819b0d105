import { expect, test } from "vitest";
import { addDays } from "@/lib/invitations/days";
import { dueDay, initialLastDay } from "@/lib/moderation/digests/rules";

// 1 June 2026 is a Monday.
const monday = "2026-06-01";

test.each(["day", "week"])(
  "is due once per %s, whatever hour it started at, at its hour or at the next check",
  (every) => {
    for (let begun = 0; begun < 7 * 24; begun += 5) {
      for (const hour of [0, 8, 23]) {
        const start = { day: addDays(monday, Math.floor(begun / 24)), hour: begun % 24 };
        let done = initialLastDay(hour, start);
        const came: string[] = [];
        for (let at = begun; at < 28 * 24; at += 1) {
          if (at % 7 === 3) continue; // no check
          const now = { day: addDays(monday, Math.floor(at / 24)), hour: at % 24 };
          const due = dueDay({ every, hour }, done, now);
          if (due === null) continue;
          expect(now.hour).toBeGreaterThanOrEqual(hour);
          expect(due <= now.day && due > done).toBe(true);
          came.push(due);
          done = due;
        }
        expect(new Set(came).size).toBe(came.length);
        if (every === "week")
          for (const day of came) expect((Date.parse(day) - Date.parse(monday)) % (7 * 86_400_000)).toBe(0);
        // A digest at hour 23 is lost on days without a check in that hour.
        const days = every === "week" ? 3 : hour === 23 ? 15 : 20;
        expect(came.length).toBeGreaterThanOrEqual(days);
        expect((came[0] ?? "") >= start.day, "the first is one to come").toBe(true);
      }
    }
  },
);
