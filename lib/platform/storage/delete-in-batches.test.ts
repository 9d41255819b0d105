import { afterEach, expect, it, vi } from "vitest";
import { log } from "@/lib/platform/log";
import { BATCH_SIZE, deleteInBatches } from "@/lib/platform/storage/delete-in-batches";

const named = (n: number) => ({ id: String(n).padStart(5, "0") });

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

/** Items with files, by name; those in `stuck` can't be deleted. `slowness`: milliseconds per deletion. */
function store(count: number, stuck: (n: number) => boolean, slowness = 0) {
  vi.useFakeTimers({ toFake: ["Date"] });
  const left = new Set(Array.from({ length: count }, (_, n) => named(n).id));
  let batches = 0;
  const deleteAfter = (continueAfter: string | null) =>
    deleteInBatches<{ id: string }>(
      async (last) => {
        batches += 1;
        return [...left]
          .filter((id) => last === null || id > last.id)
          .sort()
          .slice(0, BATCH_SIZE)
          .map((id) => ({ id }));
      },
      async ({ id }) => {
        vi.setSystemTime(Date.now() + slowness);
        if (stuck(Number(id))) throw new Error(`${id} is stuck`);
        left.delete(id);
      },
      continueAfter,
    );
  return { left, pass: deleteAfter, looks: () => batches };
}

it("processes a thousand at most and continues after them, even if none was deleted", async () => {
  const { left, pass, looks: reads } = store(2_050, (n) => n < 1_000);
  const first = await pass(null);
  expect(first).toEqual({ removed: 0, continueAfter: JSON.stringify(named(999)), error: "00000 is stuck" });
  expect(reads()).toBe(10);
  const second = await pass(first.continueAfter);
  expect(second).toEqual({ removed: 1_000, continueAfter: JSON.stringify(named(1_999)), error: null });
  expect(await pass(second.continueAfter)).toEqual({ removed: 50, continueAfter: null, error: null });
  expect(left.size).toBe(1_000);
});

it("ends if there is nothing", async () => {
  expect(await store(0, () => false).pass(null)).toEqual({ removed: 0, continueAfter: null, error: null });
});

it("runs for 30 seconds at most, and continues from there", async () => {
  const { left, pass } = store(10, (n) => n === 0, 10_000);
  const first = await pass(null);
  expect(first).toEqual({ removed: 2, continueAfter: JSON.stringify(named(2)), error: "00000 is stuck" });
  expect(await pass(first.continueAfter)).toMatchObject({ removed: 3, continueAfter: JSON.stringify(named(5)) });
  expect(left.size).toBe(5);
});

it("logs the first error of each pass", async () => {
  const logged = vi.spyOn(log, "warn").mockReturnValue();
  const { pass } = store(5, (n) => n > 1);
  expect(await pass(null)).toMatchObject({ removed: 2, error: "00002 is stuck" });
  expect(logged.mock.calls).toEqual([
    [{ err: expect.objectContaining({ message: "00002 is stuck" }) }, "could not delete files"],
  ]);
  logged.mockClear();
  expect(await store(5, () => false).pass(null)).toMatchObject({ removed: 5, error: null });
  expect(logged).not.toHaveBeenCalled();
});
