import { expect, it } from "vitest";
import {
  eventRetryDelay,
  hasFailedTooLong,
  nextAttemptAt,
  webhookRetryDelay,
  withJitter,
} from "@/lib/integrations/webhooks/retry-delays";

it("waits longer after each attempt, up to hours, with jitter", () => {
  const waits = Array.from({ length: 14 }, (_, index) => eventRetryDelay(index + 1));
  expect(waits).toEqual([...waits].sort((a, b) => a - b));
  expect([waits[0], waits.at(-1)]).toEqual([5, 14_400]);
  const rests = Array.from({ length: 40 }, (_, index) => webhookRetryDelay(index + 1));
  expect(rests).toEqual([...rests].sort((a, b) => a - b));
  expect([rests[0], rests.at(-1)]).toEqual([5, 600]);
  expect([withJitter(100, () => 0), Math.round(withJitter(100, () => 1))]).toEqual([90, 110]);
});

it("disables a webhook after a day", () => {
  const since = new Date("2026-03-01T10:00:00Z");
  expect(hasFailedTooLong(since, new Date("2026-03-02T09:59:59Z"))).toBe(false);
  expect(hasFailedTooLong(since, new Date("2026-03-02T10:00:00Z"))).toBe(true);
});

it("tries an event when it's due, not before its webhook is, and never while the webhook is inactive", () => {
  const at = (time: string) => new Date(`2026-03-01T${time}:00Z`);
  const waits = { due_at: at("10:30"), tried_at: at("10:00"), leased_by: null };
  const webhook = { paused_at: null, disabled_at: null, next_try_at: null };
  expect(nextAttemptAt(waits, webhook)).toEqual(at("10:30"));
  expect(nextAttemptAt(waits, { ...webhook, next_try_at: at("10:10") })).toEqual(at("10:30"));
  expect(nextAttemptAt(waits, { ...webhook, next_try_at: at("10:40") })).toEqual(at("10:40"));
  expect(nextAttemptAt(waits, { ...webhook, paused_at: at("09:00") })).toBeNull();
  expect(nextAttemptAt(waits, { ...webhook, next_try_at: at("10:40"), disabled_at: at("09:00") })).toBeNull();
  expect(nextAttemptAt({ ...waits, tried_at: null }, webhook)).toEqual(at("10:30"));
  // Claimed at 10:00 and being sent.
  expect(nextAttemptAt({ ...waits, due_at: at("10:01"), leased_by: 7 }, webhook)).toEqual(at("10:00"));
});
