/** What may be on its way when it is already meant: the page's own script, a window, the box to reply in, the search. */
export type Coming = "page" | "window" | "reply" | "search";

/** Something that a person did. */
export type Deed = {
  /** what was pressed or written in, or a key's name */
  what: Element | string;
  /** a letter that is meant for a box, never a command */
  isText?: boolean;
  /** the key of what it decides on the item that is on the screen */
  decides?: string;
  /** the part of the page that it was done in, where that had no script yet */
  part?: Element | null;
  /** Whether that is still so. It waits by itself then: nothing that was done elsewhere waits behind it. */
  isEarly?: () => boolean;
  /** It shows where it was done, so it is not forgotten however long that takes. */
  stays?: boolean;
  /** Answers `false` where what it was done to is not there any more. */
  again: () => unknown;
};

/**
 * What a person does while what it is meant for is on its way stands in line, and is done in its order: each in a turn of its
 * own, so that what one does is there before the next is done, and what fails takes nothing else with it.
 */
export type Line = {
  readonly deeds: readonly Deed[];
  add: (deed: Deed) => void;
  /** Takes back the letter that was written last, where it still stands in line. */
  unwrite: () => boolean;
  /** All waits for this now, ten seconds or so many milliseconds at most: what was meant for it is forgotten after that. */
  awaits: (what: Coming, ms?: number) => void;
  awaited: () => Coming | null;
  /** It has come, and what was done goes on. Answers whether it was awaited. */
  here: (what: Coming) => boolean;
  /** It is not wanted any more, where it was awaited, nor what was meant for it. What was pressed elsewhere goes on. */
  gone: (what: Coming) => void;
  /** A part of the page has its script, or has left. */
  goOn: () => void;
  /** whether what is done now has to stand in line */
  holds: () => boolean;
  /**
   * Whether somebody does at this moment, in milliseconds of the page's own clock, what they have done just before, and what
   * stands in line still: it is meant once. So is a decision while any other stands in line, and the same one once more until
   * it can have been seen what came of it.
   */
  isRepeat: (deed: Pick<Deed, "what" | "part" | "decides">, at: number) => boolean;
  /** is told what will not be done, nor kept: whoever did it must hear of it */
  lost?: (deeds: readonly Deed[]) => void;
};

/** Stands alone, since the script that takes it along does; see early.ts. */
export function makeLine(
  later: (work: () => void, ms?: number) => void = (work, ms) => setTimeout(work, ms),
  now: () => number = () => performance.now(),
  painted: (work: () => void) => void = (work) => requestAnimationFrame(() => setTimeout(work)),
): Line {
  const longest = 10_000;
  // From when something shows until whoever was about to press again has seen it, and has not.
  const glance = 700;
  const deeds: Deed[] = [];
  const ends = new Map<Deed, number>();
  /** decided, while nobody can have seen yet what came of it */
  const unseen: Deed[] = [];
  let seenAt = 0;
  let coming: Coming | null = null;
  let until = 0;
  let isGoing = false;
  let isDoing = false;

  const forget = (forgotten: readonly Deed[]) => {
    if (forgotten.length === 0) return;
    for (const deed of forgotten) {
      ends.delete(deed);
      if (deeds.includes(deed)) deeds.splice(deeds.indexOf(deed), 1);
    }
    line.lost?.(forgotten);
  };
  /** Letters from here on, up to what was done after them. */
  const letters = () => {
    const own = deeds.filter(({ part }) => !part);
    const end = own.findIndex(({ isText }) => !isText);
    return end < 0 ? own : own.slice(0, end);
  };
  const awaits = (what: Coming, ms = longest) => {
    coming = what;
    until = now() + ms;
    if (ms < Number.POSITIVE_INFINITY) later(awaited, ms + 50);
  };
  const gone = (what: Coming) => {
    if (coming !== what) return;
    coming = null;
    // Keys at a window that somebody has closed mean nothing, and need not be spoken of.
    while (what === "window") {
      const at = deeds.findIndex(({ part }) => !part);
      if (typeof deeds[at]?.what !== "string") break;
      deeds.splice(at, 1);
    }
    forget(letters());
    goOn();
  };
  const awaited = () => {
    if (coming !== null && now() > until) gone(coming);
    return coming;
  };
  const goOn = () => {
    if (isGoing) return;
    isGoing = true;
    later(turn);
  };
  /** Whether it has to wait for the part of the page that it was done in; not longer than it may, from now on. */
  const waits = (deed: Deed) => {
    if (!deed.isEarly?.()) return false;
    if (!deed.stays && !ends.has(deed)) {
      ends.set(deed, now() + longest);
      later(goOn, longest + 50);
    }
    return true;
  };
  const turn = () => {
    isGoing = false;
    if (awaited() !== null) return;
    forget(deeds.filter((deed) => now() > (ends.get(deed) ?? now()) && deed.isEarly?.()));
    const deed = deeds.find((each) => !waits(each));
    if (!deed) return;
    ends.delete(deed);
    deeds.splice(deeds.indexOf(deed), 1);
    goOn();
    if (deed.decides) {
      if (now() > seenAt) unseen.length = 0;
      unseen.push(deed);
      seenAt = Number.POSITIVE_INFINITY;
      painted(() => {
        if (unseen.at(-1) === deed) seenAt = now() + glance;
      });
    }
    isDoing = true;
    try {
      if (deed.again() === false) forget(deed.isText ? [deed, ...letters()] : [deed]);
    } finally {
      isDoing = false;
    }
  };
  const line: Line = {
    deeds,
    add: (deed) => {
      deeds.push(deed);
      goOn();
    },
    unwrite: () => {
      const at = deeds.findLastIndex(({ part }) => !part);
      return deeds[at]?.isText === true && deeds.splice(at, 1).length > 0;
    },
    awaits,
    awaited,
    here: (what) => {
      const wasAwaited = awaited() === what;
      if (wasAwaited) coming = null;
      goOn();
      return wasAwaited;
    },
    gone,
    goOn,
    holds: () => !isDoing && (awaited() !== null || deeds.some(({ isEarly }) => !isEarly?.())),
    isRepeat: ({ what, part = null, decides }, at) => {
      if (isDoing) return false;
      if (at > seenAt) unseen.length = 0;
      return (
        deeds.findLast((deed) => (deed.part ?? null) === part)?.what === what ||
        (decides !== undefined &&
          (deeds.some((deed) => deed.decides) || unseen.some((deed) => deed.decides === decides)))
      );
    },
  };
  return line;
}
