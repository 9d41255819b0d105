import fc from "fast-check";
import { expect, test } from "vitest";
import { nextSendMoment, type SendHours, sendHoursOf } from "@/lib/invitations/rules";
import { dayIn } from "@/lib/platform/clock";

const zones = [
  "UTC",
  "Europe/Stockholm",
  "America/New_York",
  "America/St_Johns",
  "Asia/Kolkata",
  "Asia/Kathmandu",
  "Australia/Lord_Howe",
  "Pacific/Apia",
  "Pacific/Chatham",
  "America/Sao_Paulo",
];
const hourIn = (zone: string, at: Date): number =>
  Number(new Intl.DateTimeFormat("en-GB", { timeZone: zone, hour: "2-digit", hourCycle: "h23" }).format(at));

test("returns the nearest moment within the hours, in every zone and across clock changes", () => {
  const hours = fc
    .tuple(fc.integer({ min: 0, max: 23 }), fc.integer({ min: 1, max: 24 }))
    .filter(([from, to]) => from < to) as fc.Arbitrary<[number, number]>;
  const minutes = fc.oneof(
    fc.integer({ min: 0, max: 525_600 }),
    // around the clock changes of 2026: 29 March and 25 October in Europe, 8 March and 1 November in America
    fc
      .tuple(fc.constantFrom(126_720, 96_480, 427_680, 437_760), fc.integer({ min: -180, max: 180 }))
      .map(([a, b]) => a + b),
  );
  fc.assert(
    fc.property(hours, fc.constantFrom(...zones), minutes, (hours, zone, minute) => {
      const moment = new Date(Date.UTC(2026, 0, 1) + minute * 60_000);
      const next = nextSendMoment(hours as SendHours, zone, moment);
      const open = (at: Date) => hourIn(zone, at) >= hours[0] && hourIn(zone, at) < hours[1];
      expect(open(next)).toBe(true);
      if (open(moment)) expect(next).toBe(moment);
      else {
        expect(next.getTime()).toBeGreaterThan(moment.getTime());
        // No earlier hour was skipped: from half an hour before, back to the start, sending was closed.
        for (let at = next.getTime() - 60_000; at >= moment.getTime(); at -= 15 * 60_000)
          expect(open(new Date(at)), new Date(at).toISOString()).toBe(false);
      }
    }),
    { numRuns: 400 },
  );
});

test("handles an hour that a clock change skips or repeats", () => {
  const zone = "Europe/Stockholm";
  // 29 March 2026: 02:00 becomes 03:00. With hours from two to three, the next time is a day later.
  expect(nextSendMoment([2, 3], zone, new Date("2026-03-29T00:30:00Z")).toISOString()).toBe("2026-03-30T00:00:00.000Z");
  expect(nextSendMoment([3, 4], zone, new Date("2026-03-29T00:30:00Z")).toISOString()).toBe("2026-03-29T01:00:00.000Z");
  // 25 October 2026: two o'clock occurs at 00:00 and at 01:00 UTC.
  for (const at of ["2026-10-25T00:30:00Z", "2026-10-25T01:30:00Z"])
    expect(nextSendMoment([2, 3], zone, new Date(at)).toISOString()).toBe(new Date(at).toISOString());
});

test("computes days in the time zone, across clock changes and the date line", () => {
  expect(dayIn("Europe/Stockholm", new Date("2026-03-28T23:30:00Z"))).toBe("2026-03-29");
  expect(dayIn("Europe/Stockholm", new Date("2026-10-25T22:30:00Z"))).toBe("2026-10-25");
  expect(dayIn("Pacific/Kiritimati", new Date("2026-05-10T10:00:00Z"))).toBe("2026-05-11");
  expect(dayIn("Pacific/Pago_Pago", new Date("2026-05-10T10:00:00Z"))).toBe("2026-05-09");
});

test("treats invalid hours as all day", () => {
  for (const send_hours of [undefined, null, "x", [8], [20, 8], [8, 25], [-1, 5], [8.5, 9], "8-20-22", {}])
    expect(sendHoursOf({ send_hours }), JSON.stringify(send_hours)).toEqual([0, 24]);
  expect(sendHoursOf({ send_hours: "8-20" })).toEqual([8, 20]);
});
