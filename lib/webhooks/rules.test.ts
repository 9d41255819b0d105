import { expect, it } from "vitest";
import { isGivenUp, jittered, restAfter, retryAfter } from "@/lib/webhooks/rules";

it("waits longer after each try, for hours at most, and differs from others", () => {
  const waits = Array.from({ length: 14 }, (_, index) => retryAfter(index + 1));
  expect(waits).toEqual([...waits].sort((a, b) => a - b));
  expect([waits[0], waits.at(-1)]).toEqual([5, 14_400]);
  const rests = Array.from({ length: 40 }, (_, index) => restAfter(index + 1));
  expect(rests).toEqual([...rests].sort((a, b) => a - b));
  expect([rests[0], rests.at(-1)]).toEqual([5, 600]);
  expect([jittered(100, () => 0), Math.round(jittered(100, () => 1))]).toEqual([90, 110]);
});

it("gives a receiver up after a day", () => {
  const since = new Date("2026-03-01T10:00:00Z");
  expect(isGivenUp(since, new Date("2026-03-02T09:59:59Z"))).toBe(false);
  expect(isGivenUp(since, new Date("2026-03-02T10:00:00Z"))).toBe(true);
});
