import { expect, it } from "vitest";
import { defaultTiming, retryDelay } from "@/lib/integrations/engagement/timing";

it("tries again after the platform's own pauses, a little spread, and rarely at last", () => {
  for (const [attempts, seconds] of [10, 30, 60, 300].entries()) {
    const pauses = Array.from({ length: 50 }, () => retryDelay(defaultTiming, attempts + 1));
    expect(Math.min(...pauses)).toBeGreaterThanOrEqual(seconds);
    expect(Math.max(...pauses)).toBeLessThanOrEqual(seconds * 1.2);
    expect(new Set(pauses).size).toBeGreaterThan(1);
  }
  expect(retryDelay(defaultTiming, 1_000)).toBeGreaterThanOrEqual(3_600);
});

it("asks nobody for ten seconds after a 429 that does not say how long", () => {
  expect(defaultTiming.defaultRetryAfter).toBeGreaterThanOrEqual(10);
});
