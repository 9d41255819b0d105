import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { underLease } from "@/lib/platform/db/under-lease";

const MS = 60_000;

beforeEach(() => void vi.useFakeTimers({ toFake: ["setInterval", "clearInterval", "performance"] }));
afterEach(() => void vi.useRealTimers());

it("is renewed for as long as the work takes, and no longer", async () => {
  const renew = vi.fn(async () => undefined);
  await underLease({ taken: performance.now(), ms: MS, renew }, async (isHeld) => {
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
  const failing = underLease({ taken: performance.now(), ms: MS, renew }, () => Promise.reject(new Error("no")));
  await expect(failing).rejects.toThrow("no");
  await vi.advanceTimersByTimeAsync(MS);
  expect(renew).not.toHaveBeenCalled();
});

it("is lost where it cannot be renewed in its time, and stays so", async () => {
  let away = true;
  const renew = async () => {
    if (away) throw new Error("away");
  };
  await underLease({ taken: performance.now(), ms: MS, renew }, async (isHeld) => {
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
  await underLease({ taken: performance.now(), ms: MS, renew }, async (isHeld) => {
    await vi.advanceTimersByTimeAsync(2 * MS);
    late.resolve();
    await sleep(0);
    expect(isHeld()).toBe(false);
  });
});
