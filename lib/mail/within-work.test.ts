import { expect, it } from "vitest";
import { withinWork } from "./within-work";

/** A template that needs so much of the processor, which works for it a part of the time: what it is handed by the clock is short. */
function aTemplate(needs: (time: number) => number, part: (time: number) => number) {
  const state = { worked: 0, times: 0, clock: { left: 4_000 } };
  const fill = (most: number) => {
    state.times += 1;
    const [need, given] = [needs(state.times), most * part(state.times)];
    state.worked += Math.min(need, given);
    if (need > given) throw new Error("template render limit exceeded");
    return "made";
  };
  return { state, made: () => withinWork(fill, 60, state.clock, () => state.worked) };
}

it("is made at once where it is quick", () => {
  const { state, made } = aTemplate(
    () => 20,
    () => 1,
  );
  expect(made()).toBe("made");
  expect(state).toEqual({ worked: 20, times: 1, clock: { left: 3_980 } });
});

it("is made on a machine that is busy with other things, however little it gets", () => {
  const { state, made } = aTemplate(
    () => 40,
    () => 1 / 16,
  );
  expect(made()).toBe("made");
  expect(state.worked).toBeLessThan(200);
});

it("is given up after three tries where it is slow by itself, on an idle machine and on a busy one", () => {
  for (const part of [1, 1 / 4]) {
    const { state, made } = aTemplate(
      () => 100_000,
      () => part,
    );
    expect(made, String(part)).toThrow("render limit");
    expect(state.worked).toBeLessThan(250);
    // What it took by the clock, of what all templates together may take.
    expect(state.clock.left).toBe(part === 1 ? 4_000 - 3 * 60 : 4_000 - 60 - 120 - 3 * 240);
  }
});

it("is given up where it needs more than it may, though a busy machine's time was enough", () => {
  const { made } = aTemplate(
    () => 100,
    (time) => (time === 1 ? 0.5 : 0.9),
  );
  expect(made).toThrow("render limit");
});

it("is made where only the first time is slow, and throws what is wrong with it at once", () => {
  const { made } = aTemplate(
    (time) => (time === 1 ? 90 : 30),
    () => 1,
  );
  expect(made()).toBe("made");
  const clock = { left: 4_000 };
  const wrong = () => {
    throw new Error("undefined filter");
  };
  expect(() => withinWork(wrong, 60, clock)).toThrow("undefined filter");
});
