import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { withLease } from "@/lib/platform/db/with-lease";

const MS = 60_000;

beforeEach(() => void vi.useFakeTimers({ toFake: ["setInterval", "clearInterval", "performance"] }));
afterEach(() => void vi.useRealTimers());

it("is renewed for as long as the work takes, and no longer", async () => {
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

it("ends with the work that fails", async () => {
  const renew = vi.fn(async () => undefined);
  const failing = withLease({ acquiredAt: performance.now(), ms: MS, renew }, () => Promise.reject(new Error("no")));
  await expect(failing).rejects.toThrow("no");
  await vi.advanceTimersByTimeAsync(MS);
  expect(renew).not.toHaveBeenCalled();
});

it("expires if it can't be renewed in time", async () => {
  let away = true;
  const renew = async () => {
    if (away) throw new Error("away");
  };
  await withLease({ acquiredAt: performance.now(), ms: MS, renew }, async (isHeld) => {
    await vi.advanceTimersByTimeAsync(MS - 1);
    expect(isHeld()).toBe(true);
    await vi.advanceTimersByTimeAsync(1);
    expect(isHeld()).toBe(false);
    away = false;
    await vi.advanceTimersByTimeAsync(MS);
    expect(isHeld()).toBe(false);
  });
});

it("is lost where the answer comes too late", async () => {
  const late = Promise.withResolvers<void>();
  const renew = () => late.promise;
  await withLease({ acquiredAt: performance.now(), ms: MS, renew }, async (isHeld) => {
    await vi.advanceTimersByTimeAsync(2 * MS);
    late.resolve();
    await sleep(0);
    expect(isHeld()).toBe(false);
  });
});
