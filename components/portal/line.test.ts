import { expect, it } from "vitest";
import { type Deed, makeLine } from "./line";

/** A line whose turns come when a test says so, what was done of it, and what was told to be lost. */
function standing() {
  const turns: (() => void)[] = [];
  const timers: { at: number; work: () => void }[] = [];
  const paints: (() => void)[] = [];
  const time = { now: 0 };
  const done: string[] = [];
  const lost: (string | Element)[][] = [];
  const line = makeLine(
    (work, ms) => (ms ? timers.push({ at: time.now + ms, work }) : turns.push(work)),
    () => time.now,
    (work) => paints.push(work),
  );
  line.lost = (deeds) => lost.push(deeds.map(({ what }) => what));
  const turnAll = () => {
    while (turns.length > 0) turns.shift()?.();
  };
  return {
    line,
    time,
    done,
    lost,
    add: (what: string, more: Partial<Deed> = {}) => line.add({ what, again: () => done.push(what), ...more }),
    write: (text: string) => {
      for (const what of text) line.add({ what, isText: true, again: () => done.push(what) });
    },
    turn: () => turns.shift()?.(),
    turnAll,
    /** So much later; timers that are over by then have run. */
    pass: (ms: number) => {
      time.now += ms;
      for (const timer of timers.filter(({ at }) => at <= time.now)) {
        timers.splice(timers.indexOf(timer), 1);
        timer.work();
        turnAll();
      }
    },
    paint: () => {
      while (paints.length > 0) paints.shift()?.();
    },
  };
}

/** A part of the page, whose script comes when a test says so. */
function latePart() {
  const part = {} as Element;
  const state = { isEarly: true };
  return { state, within: { part, isEarly: () => state.isEarly } };
}

it("does nothing before the page is there, then all in its order, each in a turn of its own", () => {
  const { line, add, turn, turnAll, done } = standing();
  line.awaits("page", Number.POSITIVE_INFINITY);
  for (const what of ["j", "j", "a"]) add(what);
  turnAll();
  expect(done).toEqual([]);
  expect(line.here("page")).toBe(true);
  turn();
  expect(done).toEqual(["j"]);
  // What comes now stands behind what waits still.
  expect(line.holds()).toBe(true);
  add("k");
  turnAll();
  expect(done).toEqual(["j", "j", "a", "k"]);
  expect(line.holds()).toBe(false);
  expect(line.here("page")).toBe(false);
});

it("lets through what a deed does by itself, and takes nothing else with one that fails", () => {
  const { line, add, turnAll, turn, done } = standing();
  let [held, repeated]: (boolean | null)[] = [null, null];
  add("fails", {
    decides: "a",
    again: () => {
      held = line.holds();
      repeated = line.isRepeat({ what: "fails", decides: "a" }, 0);
      throw new Error("It fails on purpose");
    },
  });
  add("a");
  expect(turn).toThrow("It fails on purpose");
  expect([held, repeated]).toEqual([false, false]);
  expect(line.holds()).toBe(true);
  turnAll();
  expect(done).toEqual(["a"]);
});

it("waits again where a deed opens what is on its way, for that alone, and forgets keys at it where it is not wanted", () => {
  const { line, add, turnAll, done, lost } = standing();
  const opens = {
    again: () => line.awaits("window", Number.POSITIVE_INFINITY),
  };
  add("r", opens);
  add("2");
  turnAll();
  expect(line.here("reply")).toBe(false);
  line.gone("reply");
  turnAll();
  expect([done, line.awaited()]).toEqual([[], "window"]);
  line.here("window");
  turnAll();
  expect(done).toEqual(["2"]);
  // Whoever closed it knows that nothing came of the number. What was pressed on the page is another matter.
  add("r", opens);
  add("3");
  line.add({ what: {} as Element, again: () => done.push("next") });
  turnAll();
  line.gone("window");
  turnAll();
  expect([done, lost, line.holds()]).toEqual([["2", "next"], [], false]);
});

it("forgets what was written for a box that takes too long, says so, and goes on with what was pressed", () => {
  const { line, write, pass, done, lost } = standing();
  line.awaits("reply", 4_000);
  write("hi");
  line.add({ what: {} as Element, again: () => done.push("accept") });
  pass(4_000);
  expect([line.awaited(), line.here("search"), done]).toEqual(["reply", false, []]);
  pass(100);
  expect([done, lost, line.deeds, line.holds()]).toEqual([["accept"], [["h", "i"]], [], false]);
  expect(line.here("reply")).toBe(false);
});

it("says what was written where no box is, all of it at once", () => {
  const { line, add, turnAll, done, lost } = standing();
  for (const what of ["h", "i"]) line.add({ what, isText: true, again: () => false });
  add("j");
  turnAll();
  expect([done, lost]).toEqual([["j"], [["h", "i"]]]);
});

it("takes back the letter that was written last, and nothing that is a command", () => {
  const { line, add, write, turnAll, done } = standing();
  const { within } = latePart();
  line.awaits("page", Number.POSITIVE_INFINITY);
  expect(line.unwrite()).toBe(false);
  add("e");
  write("hiz");
  add("edit", within);
  expect(line.unwrite()).toBe(true);
  line.here("page");
  turnAll();
  expect(done).toEqual(["e", "h", "i"]);
  add("e");
  expect(line.unwrite()).toBe(false);
});

it("waits for the script of a part with what was done in it, and with nothing else", () => {
  const { line, add, turnAll, done, lost, pass } = standing();
  const [one, other] = [latePart(), latePart()];
  line.awaits("page", Number.POSITIVE_INFINITY);
  add("edit", one.within);
  add("retry", other.within);
  add("save", one.within);
  add("a");
  line.here("page");
  turnAll();
  expect([done, line.holds()]).toEqual([["a"], false]);
  other.state.isEarly = false;
  line.goOn();
  turnAll();
  expect([done, line.holds()]).toEqual([["a", "retry"], false]);
  one.state.isEarly = false;
  line.goOn();
  turnAll();
  expect(done).toEqual(["a", "retry", "edit", "save"]);
  pass(60_000);
  expect(lost).toEqual([]);
});

it("says what is not done, as its part does not come or is another one now, and tells a field's text however late", () => {
  const { line, add, turnAll, done, lost, pass } = standing();
  const [one, other] = [latePart(), latePart()];
  // As long as the page itself is on its way, nothing is too late.
  line.awaits("page", Number.POSITIVE_INFINITY);
  add("publish", one.within);
  add("text", { ...one.within, stays: true });
  pass(60_000);
  line.here("page");
  turnAll();
  pass(10_000);
  expect(lost).toEqual([]);
  pass(100);
  expect(lost).toEqual([["publish"]]);
  one.state.isEarly = false;
  line.goOn();
  turnAll();
  expect(done).toEqual(["text"]);
  add("remove", { ...other.within, again: () => false });
  turnAll();
  other.state.isEarly = false;
  add("b");
  turnAll();
  expect([done, lost]).toEqual([
    ["text", "b"],
    [["publish"], ["remove"]],
  ]);
});

it("takes what is done once more, and cannot have been seen, for the same", () => {
  const { line, add, turnAll, paint, time } = standing();
  const { within } = latePart();
  const button = {} as Element;
  line.awaits("page", Number.POSITIVE_INFINITY);
  add("x");
  expect(line.isRepeat({ what: "x" }, 0)).toBe(true);
  add("j");
  // Chosen, stepped on, chosen: two are meant.
  expect(line.isRepeat({ what: "x" }, 0)).toBe(false);
  add("a", { decides: "a" });
  add("j");
  // A key or its button, the same decision or another: nobody has seen which item it would be about.
  for (const again of [
    { what: "a", decides: "a" },
    { what: button, decides: "a" },
    { what: "r", decides: "r" },
  ])
    expect(line.isRepeat(again, 0)).toBe(true);
  add("edit", within);
  add("k");
  expect(line.isRepeat({ what: "edit", part: within.part }, 0)).toBe(true);
  expect(line.isRepeat({ what: "edit" }, 0)).toBe(false);
  line.here("page");
  turnAll();
  // Done, and not on the screen yet. A press counts from when it was made: the page may have been too busy to hear it.
  const again = { what: button, decides: "a" };
  time.now = 5_000;
  expect(line.isRepeat(again, 5_000)).toBe(true);
  paint();
  time.now = 9_000;
  for (const at of [4_000, 5_000, 5_700]) expect(line.isRepeat(again, at)).toBe(true);
  // Another is no impatience with this one.
  expect(line.isRepeat({ what: "r", decides: "r" }, 5_700)).toBe(false);
  expect(line.isRepeat({ what: "x" }, 5_700)).toBe(false);
  expect(line.isRepeat(again, 5_701)).toBe(false);
  expect(line.isRepeat({ what: "edit", part: within.part }, 9_000)).toBe(true);
});

it("has decisions seen only once the last of them is on the screen", () => {
  const { line, add, turn, turnAll, paint, time } = standing();
  const again = { what: "r", decides: "r" };
  add("r", again);
  add("2", { decides: "2" });
  add("j");
  turn();
  paint();
  time.now = 600;
  turnAll();
  expect(line.isRepeat(again, 800)).toBe(true);
  paint();
  expect(line.isRepeat(again, 1_300)).toBe(true);
  expect(line.isRepeat(again, 1_301)).toBe(false);
});
