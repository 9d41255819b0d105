import { NonRetriableError } from "inngest";
import { expect, it } from "vitest";
import { collectErrors } from "./collect-errors";

it("runs all parts despite errors and fails at the end with all of them", async () => {
  const faults = collectErrors();
  const done: (number | null)[] = [];
  for (const n of [1, 2, 3])
    done.push(await faults.attempt(`part ${n}`, async () => (n === 2 ? Promise.reject(new Error("no such zone")) : n)));
  expect(done).toEqual([1, null, 3]);
  expect(() => faults.throwIfAny()).toThrow(new NonRetriableError("part 2: no such zone"));
});

it("succeeds without errors", async () => {
  const faults = collectErrors();
  await faults.attempt("all", async () => 0);
  expect(faults.throwIfAny()).toBeUndefined();
});
