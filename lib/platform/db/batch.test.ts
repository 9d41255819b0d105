import { describe, expect, it, onTestFinished, vi } from "vitest";
import { batch } from "@/lib/platform/db/batch";
import { AppError } from "@/lib/platform/errors";

const flow = (name: string, run: (items: number[]) => Promise<number[]>, maxItems = 100) =>
  batch<number, number>(`test-${name}`, run, { maxItems });
const upTo = (count: number) => Array.from({ length: count }, (_, index) => index);

describe("batch", () => {
  it("returns each caller its own result, in batches of limited size", async () => {
    const sizes: number[] = [];
    const timesTwo = flow("batches", async (items) => {
      sizes.push(items.length);
      return items.map((item) => item * 2);
    });
    expect(await Promise.all(upTo(250).map(timesTwo))).toEqual(upTo(250).map((item) => item * 2));
    expect(Math.max(...sizes)).toBe(100);
    expect(sizes).toHaveLength(3);
  });

  it("runs items with the same key in separate batches, in order", async () => {
    const batches: number[][] = [];
    const run = async (items: number[]) => {
      batches.push(items);
      return items;
    };
    const submit = batch<number, number>("test-apart", run, {
      maxItems: 4,
      conflictKeys: (item) => [String(item % 3)],
    });
    expect(await Promise.all(upTo(9).map(submit))).toEqual(upTo(9));
    for (const batch of batches) expect(new Set(batch.map((item) => item % 3)).size).toBe(batch.length);
    for (const name of [0, 1, 2])
      expect(batches.flat().filter((item) => item % 3 === name)).toEqual([name, name + 3, name + 6]);
    expect(batches.length).toBeLessThan(9);
  });

  it("fails only the bad item", async () => {
    const failOnThree = flow("picky", async (items) => {
      if (items.includes(3)) throw new Error("not three");
      return items;
    });
    const settled = await Promise.allSettled(upTo(6).map(failOnThree));
    expect(settled.map(({ status }) => status)).toEqual(upTo(6).map((item) => (item === 3 ? "rejected" : "fulfilled")));
  });

  it("doesn't let an item with a lock timeout block others", async () => {
    const held = Object.assign(new Error("held"), { code: "55P03" });
    const stuck = flow("one-row", async (items) => {
      if (items.includes(3)) throw held;
      return items;
    });
    const settled = await Promise.allSettled(upTo(6).map(stuck));
    expect(settled.map(({ status }) => status)).toEqual(upTo(6).map((item) => (item === 3 ? "rejected" : "fulfilled")));
  });

  it("fails the remaining items after many lock timeouts", async () => {
    const held = Object.assign(new Error("held"), { code: "55P03" });
    let runs = 0;
    const stuck = flow("all-rows", async () => {
      runs += 1;
      await new Promise((resolve) => setTimeout(resolve, 800));
      throw held;
    });
    const settled = await Promise.allSettled(upTo(50).map(stuck));
    expect(settled.every((each) => each.status === "rejected" && each.reason === held)).toBe(true);
    expect(runs).toBeLessThan(7);
  });

  it("doesn't retry when the database becomes unavailable, since the commit is unknown", async () => {
    let runs = 0;
    const failingBatch = flow("away", () => {
      runs += 1;
      return Promise.reject(Object.assign(new Error("gone"), { code: "57P01" }));
    });
    const settled = await Promise.allSettled(upTo(5).map(failingBatch));
    expect(settled.every(({ status }) => status === "rejected")).toBe(true);
    expect(runs).toBe(1);
  });

  it("doesn't retry after a timeout", async () => {
    let runs = 0;
    const slow = flow("slow", () => {
      runs += 1;
      return Promise.reject(new AppError("unavailable", { reason: "write_timed_out" }));
    });
    const settled = await Promise.allSettled(upTo(5).map(slow));
    expect(settled.every(({ status }) => status === "rejected")).toBe(true);
    expect(runs).toBe(1);
  });

  it("runs queued items as one batch, and stops waiting for a stuck batch", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    onTestFinished(() => void vi.useRealTimers());
    let open = () => {};
    const gate = new Promise<void>((resolve) => {
      open = resolve;
    });
    const batches: number[][] = [];
    const held = flow("held", async (items) => {
      batches.push(items);
      if (items.includes(0)) await gate; // like a row locked by another transaction
      return items;
    });
    const first = held(0);
    await new Promise(setImmediate);
    const rest = [1, 2, 3].map(held);
    await new Promise(setImmediate);
    vi.advanceTimersByTime(49);
    await new Promise(setImmediate);
    expect(batches).toEqual([[0]]);
    vi.advanceTimersByTime(1);
    expect(await Promise.all(rest)).toEqual([1, 2, 3]);
    expect(batches).toEqual([[0], [1, 2, 3]]);
    open();
    expect(await first).toBe(0);
  });

  it("starts the next batch before resolving the previous one", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] }); // so that no batch counts as stuck on a slow machine
    onTestFinished(() => void vi.useRealTimers());
    const seen: string[] = [];
    const recordingBatch = flow("ahead", async (items) => {
      seen.push(`sent ${items}`);
      await new Promise(setImmediate);
      seen.push(`written ${items}`);
      return items;
    });
    const submit = (item: number) => recordingBatch(item).then(() => seen.push(`heard ${item}`));
    const first = submit(1);
    await new Promise(setImmediate); // it has started
    await Promise.all([first, submit(2)]);
    expect(seen).toEqual(["sent 1", "written 1", "sent 2", "heard 1", "written 2", "heard 2"]);
  });

  it("continues after an unreadable error, and after an item whose keys can't be computed", async () => {
    const odd = {
      get code(): string {
        throw new Error("no code");
      },
    };
    const run = async (items: number[]) => {
      if (items.includes(0)) throw odd;
      return items;
    };
    const conflictKeys = (item: number) => {
      if (item < 0) throw new Error("no name");
      return [String(item)];
    };
    const submit = batch<number, number>("test-odd", run, { maxInFlight: 1, conflictKeys });
    const settled = await Promise.allSettled([-1, 0, 1].map(submit));
    expect(settled.map(({ status }) => status)).toEqual(["rejected", "rejected", "rejected"]);
    expect(await Promise.all([1, 2].map(submit))).toEqual([1, 2]);
  });

  it("rejects items when the queue is full", async () => {
    let open = () => {};
    const gate = new Promise<void>((resolve) => {
      open = resolve;
    });
    const stuck = flow("stuck", async (items) => {
      await gate;
      return items;
    });
    const first = stuck(0);
    await new Promise(setImmediate); // it has started; the rest is queued
    const queued = upTo(10_000).map(stuck);
    await expect(stuck(1)).rejects.toMatchObject({ code: "unavailable", headers: { "Retry-After": "2" } });
    open();
    expect(await first).toBe(0);
    expect(await Promise.all(queued)).toHaveLength(10_000);
  });
});
