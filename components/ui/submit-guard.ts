/** For so long after a thing is done the same press again is the second half of a double click. */
const DOUBLE_CLICK_MS = 800;

/**
 * Lets a thing be done once, however fast it is asked for again: `begins` says whether it may, `ends` that it is done, or that
 * it broke off and whoever asks for the rest means it. State of React comes too late for that, as both presses may lie before
 * the next drawing.
 */
export function createSubmitGuard(now: () => number = Date.now) {
  const last = { what: "", until: 0 };
  return {
    start(what: string): boolean {
      if (last.what === what && last.until > now()) return false;
      Object.assign(last, { what, until: Number.POSITIVE_INFINITY });
      return true;
    },
    finish(how: "done" | "broken" = "done"): void {
      last.until = how === "done" ? now() + DOUBLE_CLICK_MS : 0;
    },
  };
}

/** For buttons that turn into their opposite, or whose answer is quick: of a double click, the second half does nothing. */
export const ignoreDoubleClick =
  (act: () => void) =>
  ({ detail }: { detail: number }): void => {
    if (detail < 2) act();
  };
