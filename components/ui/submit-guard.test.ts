import { expect, it } from "vitest";
import { createSubmitGuard, ignoreDoubleClick } from "./submit-guard";

it("lets a double click through once, even if the first is answered before the second, and a later one", () => {
  let time = 1_000;
  const once = createSubmitGuard(() => time);
  expect([once.start("send lamp"), once.start("send lamp")]).toEqual([true, false]);
  time += 60_000; // a slow response
  expect(once.start("send lamp")).toBe(false);
  once.finish();
  time += 300;
  expect(once.start("send lamp")).toBe(false);
  time += 1_000;
  expect(once.start("send lamp")).toBe(true);
});

it("allows an immediate retry after a failure, but not twice", () => {
  const once = createSubmitGuard(() => 1_000);
  expect([once.start("hold lamp"), once.start("hold lamp")]).toEqual([true, false]);
  once.finish("broken");
  expect([once.start("hold lamp"), once.start("hold lamp")]).toEqual([true, false]);
});

it("allows a different action at any time", () => {
  const once = createSubmitGuard(() => 0);
  expect([once.start("hold lamp"), once.start("let lamp go"), once.start("hold lamp")]).toEqual([true, true, true]);
});

it("ignores the second half of a double click, and runs single ones, also without a pointer", () => {
  let done = 0;
  const press = ignoreDoubleClick(() => {
    done += 1;
  });
  for (const detail of [1, 2, 1, 0, 0]) press({ detail });
  expect(done).toBe(4);
});
