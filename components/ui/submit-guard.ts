/** For this long after an action, the same action counts as the second half of a double click. */
const DOUBLE_CLICK_MS = 800;

/**
 * Runs an action once, however fast it is repeated: `start` returns whether it may run, `finish` ends it ("broken": a
 * repetition is intended). React state updates too late for this, since both clicks may come before the next render.
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

/** For buttons that toggle or respond quickly: ignores the second half of a double click. */
export const ignoreDoubleClick =
  (act: () => void) =>
  ({ detail }: { detail: number }): void => {
    if (detail < 2) act();
  };
