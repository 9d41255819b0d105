import { NonRetriableError } from "inngest";
import { expect, it } from "vitest";
import { collectErrors } from "./collect-errors";

it("runs all parts despite errors and fails at the end with all of them", async () => {
  const collected = collectErrors();
  const done: (number | null)[] = [];
  for (const n of [1, 2, 3])
    done.push(
      await collected.attempt(`part ${n}`, async () => (n === 2 ? Promise.reject(new Error("no such zone")) : n)),
    );
  expect(done).toEqual([1, null, 3]);
  expect(() => collected.throwIfAny()).toThrow(new NonRetriableError("part 2: no such zone"));
});

it("succeeds without errors", async () => {
  const collected = collectErrors();
  await collected.attempt("all", async () => 0);
  expect(collected.throwIfAny()).toBeUndefined();
});
