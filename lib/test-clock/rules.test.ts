import { expect, it } from "vitest";
import { daysUntilNext, dueWithin, lastSendMoment, parseAdvance } from "@/lib/test-clock/rules";

it("reads how far a clock is to be advanced", () => {
  expect(["1d", "60d", "366d", "next"].map(parseAdvance)).toEqual([1, 60, 366, "next"]);
  expect(["0d", "367d", "01d", "1", "-1d", "1.5d", "1 d", "", "d", "Next"].map(parseAdvance)).toEqual(
    Array(10).fill(null),
  );
});

it("finds the latest moment within the hours of emails, in the store's time zone", () => {
  const at = (time: string, hours: [number, number], zone = "UTC") =>
    lastSendMoment(hours, zone, new Date(time)).toISOString();
  expect(at("2026-11-29T10:20:30Z", [9, 17])).toBe("2026-11-29T10:20:30.000Z");
  expect(at("2026-11-29T22:20:30Z", [9, 17])).toBe("2026-11-29T16:59:59.000Z");
  expect(at("2026-11-29T03:00:00Z", [9, 17])).toBe("2026-11-28T16:59:59.000Z");
  expect(at("2026-11-29T03:00:00Z", [0, 24])).toBe("2026-11-29T03:00:00.000Z");
  expect(at("2026-11-29T03:00:00Z", [9, 17], "Asia/Kathmandu")).toBe("2026-11-28T11:14:59.000Z");
});

it("stops at the first day with work, and does what is due by then", () => {
  const due = { invitations: 3, webhooks: 1, expiry: 1 };
  expect(daysUntilNext(due)).toBe(1);
  expect(dueWithin(due, 1)).toEqual(["webhooks"]);
  expect(dueWithin(due, 3)).toEqual(["invitations", "webhooks"]);
  expect(daysUntilNext({})).toBeNull();
});
