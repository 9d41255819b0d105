import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { withLease } from "@/lib/platform/db/with-lease";

const MS = 60_000;

beforeEach(() => void vi.useFakeTimers({ toFake: ["setInterval", "clearInterval", "performance"] }));
afterEach(() => void vi.useRealTimers());

it("renews the lease until the work ends", async () => {
  const renew = vi.fn(async () => undefined);
  await withLease({ acquiredAt: performance.now(), ms: MS, renew }, async (isHeld) => {
    await vi.advanceTimersByTimeAsync(10 * MS);
    expect(isHeld()).toBe(true);
  });
  const times = renew.mock.calls.length;
  expect(times).toBeGreaterThanOrEqual(20);
  await vi.advanceTimersByTimeAsync(MS);
  expect(renew).toHaveBeenCalledTimes(times);
});

it("stops renewing if the work fails", async () => {
  const renew = vi.fn(async () => undefined);
  const failing = withLease({ acquiredAt: performance.now(), ms: MS, renew }, () => Promise.reject(new Error("no")));
  await expect(failing).rejects.toThrow("no");
  await vi.advanceTimersByTimeAsync(MS);
  expect(renew).not.toHaveBeenCalled();
});

it("expires if renewals fail", async () => {
  let isUnavailable = true;
  const renew = async () => {
    if (isUnavailable) throw new Error("away");
  };
  await withLease({ acquiredAt: performance.now(), ms: MS, renew }, async (isHeld) => {
    await vi.advanceTimersByTimeAsync(MS - 1);
    expect(isHeld()).toBe(true);
    await vi.advanceTimersByTimeAsync(1);
    expect(isHeld()).toBe(false);
    isUnavailable = false;
    await vi.advanceTimersByTimeAsync(MS);
    expect(isHeld()).toBe(false);
  });
});

it("expires if a renewal completes too late", async () => {
  const late = Promise.withResolvers<void>();
  const renew = () => late.promise;
  await withLease({ acquiredAt: performance.now(), ms: MS, renew }, async (isHeld) => {
    await vi.advanceTimersByTimeAsync(2 * MS);
    late.resolve();
    await sleep(0);
    expect(isHeld()).toBe(false);
  });
});
