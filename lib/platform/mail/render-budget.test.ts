import { expect, it } from "vitest";
import { renderWithinBudget } from "./render-budget";

/** A fake template that needs `needs` CPU milliseconds and gets the share `part` of the wall-clock time. */
function aTemplate(needs: (time: number) => number, part: (time: number) => number) {
  const state = { worked: 0, times: 0, clock: { left: 4_000 } };
  const fill = async (most: number) => {
    state.times += 1;
    const [need, given] = [needs(state.times), most * part(state.times)];
    const cpuMs = Math.min(need, given);
    state.worked += cpuMs;
    return { text: need > given ? null : "made", cpuMs };
  };
  return { state, made: () => renderWithinBudget(fill, 60, state.clock) };
}

it("renders a quick template at the first attempt", async () => {
  const { state, made } = aTemplate(
    () => 20,
    () => 1,
  );
  expect(await made()).toBe("made");
  expect(state).toEqual({ worked: 20, times: 1, clock: { left: 3_980 } });
});

it("renders on a busy machine with little CPU time", async () => {
  const { state, made } = aTemplate(
    () => 40,
    () => 1 / 16,
  );
  expect(await made()).toBe("made");
  expect(state.worked).toBeLessThan(200);
});

it("fails a slow template after three attempts, on an idle or busy machine", async () => {
  for (const part of [1, 1 / 4]) {
    const { state, made } = aTemplate(
      () => 100_000,
      () => part,
    );
    await expect(made(), String(part)).rejects.toThrow("render limit");
    expect(state.worked).toBeLessThan(250);
    // Its wall-clock time, deducted from the budget of all templates.
    expect(state.clock.left).toBe(part === 1 ? 4_000 - 3 * 60 : 4_000 - 60 - 120 - 3 * 240);
  }
});

it("fails a template that exceeds its CPU limit although the extended time was enough", async () => {
  const { made } = aTemplate(
    () => 100,
    (time) => (time === 1 ? 0.5 : 0.9),
  );
  await expect(made()).rejects.toThrow("render limit");
});

it("fails without a retry if the thread had to be terminated", async () => {
  let times = 0;
  const ended = async () => {
    times += 1;
    return { text: null, cpuMs: 2_000 };
  };
  await expect(renderWithinBudget(ended, 60, { left: 4_000 })).rejects.toThrow("render limit");
  expect(times).toBe(1);
});

it("renders if only the first attempt is slow, and throws template errors without a retry", async () => {
  const { made } = aTemplate(
    (time) => (time === 1 ? 90 : 30),
    () => 1,
  );
  expect(await made()).toBe("made");
  const clock = { left: 4_000 };
  const wrong = async () => {
    throw new Error("undefined filter");
  };
  await expect(renderWithinBudget(wrong, 60, clock)).rejects.toThrow("undefined filter");
});
