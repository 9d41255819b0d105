import { NonRetriableError } from "inngest";
import { expect, it } from "vitest";
import { collectErrors } from "./collect-errors";

it("does everything whatever one of it meets, and fails at the end with what was met, for good", async () => {
  const faults = collectErrors();
  const done: (number | null)[] = [];
  for (const n of [1, 2, 3])
    done.push(await faults.hold(`part ${n}`, async () => (n === 2 ? Promise.reject(new Error("no such zone")) : n)));
  expect(done).toEqual([1, null, 3]);
  expect(() => faults.end()).toThrow(new NonRetriableError("part 2: no such zone"));
});

it("ends well where nothing was met", async () => {
  const faults = collectErrors();
  await faults.hold("all", async () => 0);
  expect(faults.end()).toBeUndefined();
});
