import { expect, it } from "vitest";
import { defaultTiming, retryDelay } from "@/lib/integrations/engagement/timing";

it("retries at the platform's recommended intervals with jitter, and rarely in the end", () => {
  for (const [attempts, seconds] of [10, 30, 60, 300].entries()) {
    const pauses = Array.from({ length: 50 }, () => retryDelay(defaultTiming, attempts + 1));
    expect(Math.min(...pauses)).toBeGreaterThanOrEqual(seconds);
    expect(Math.max(...pauses)).toBeLessThanOrEqual(seconds * 1.2);
    expect(new Set(pauses).size).toBeGreaterThan(1);
  }
  expect(retryDelay(defaultTiming, 1_000)).toBeGreaterThanOrEqual(3_600);
});

it("pauses requests for ten seconds after a 429 without Retry-After", () => {
  expect(defaultTiming.defaultRetryAfter).toBeGreaterThanOrEqual(10);
});
