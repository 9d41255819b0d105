import { expect, it } from "vitest";
import { makeOnce, single } from "./once";

it("lets a double click through once, also where the first was answered before the second, and a later one again", () => {
  let time = 1_000;
  const once = makeOnce(() => time);
  expect([once.begins("send lamp"), once.begins("send lamp")]).toEqual([true, false]);
  time += 60_000; // a slow answer
  expect(once.begins("send lamp")).toBe(false);
  once.ends();
  time += 300;
  expect(once.begins("send lamp")).toBe(false);
  time += 1_000;
  expect(once.begins("send lamp")).toBe(true);
});

it("lets the rest of what broke off be asked for at once, but not twice", () => {
  const once = makeOnce(() => 1_000);
  expect([once.begins("hold lamp"), once.begins("hold lamp")]).toEqual([true, false]);
  once.ends("broken");
  expect([once.begins("hold lamp"), once.begins("hold lamp")]).toEqual([true, false]);
});

it("lets something else through at any time", () => {
  const once = makeOnce(() => 0);
  expect([once.begins("hold lamp"), once.begins("let lamp go"), once.begins("hold lamp")]).toEqual([true, true, true]);
});

it("does nothing at the second half of a double click, and all at single ones, also those without a pointer", () => {
  let done = 0;
  const press = single(() => {
    done += 1;
  });
  for (const detail of [1, 2, 1, 0, 0]) press({ detail });
  expect(done).toBe(4);
});
