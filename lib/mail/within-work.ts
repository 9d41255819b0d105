/** A slow one is tried so often: the first time reads the template, and memory may be cleared in any of them. */
const TRIES = 3;
/** Milliseconds that one try may last by the clock, on a machine that is busy with other things. */
const LONGEST_MS = 1_920;
/** Where the processor worked for it so large a part of a try's time, the machine was not what kept it. */
const OWN_PART = 0.7;

/** Milliseconds that the processor worked for this thread. */
const worked = (): number => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
};

/**
 * The result of filling in a template, which may take `most` milliseconds of the processor at its best, whatever else the machine is
 * busy with. `fill` is given up after as many milliseconds by the clock as it is handed: where the processor
 * was elsewhere meanwhile, it gets twice as many. Takes off `left` what it needed, of tries that were given up the whole time. Throws what `fill` threw, as soon as it is
 * slow by itself ({@link isTooSlow}) or at fault.
 */
export function withinWork(
  fill: (most: number) => string,
  most: number,
  clock: { left: number },
  work: () => number = worked,
): string {
  let limit = most;
  let slow = 0;
  for (;;) {
    const began = work();
    const took = () => work() - began;
    try {
      const made = fill(limit);
      // With more time than it may take it must show that it did not need it. (Reading a template the first time is not filling in.)
      clock.left -= took();
      if (limit <= most || took() <= most) return made;
      slow += 1;
      if (slow >= TRIES) throw new Error("template render limit exceeded");
    } catch (error) {
      if (!isTooSlow(error) || slow >= TRIES) throw error;
      clock.left -= limit; // by the clock: what is given up holds up everything else so long
      const isOwn = took() >= most || took() >= limit * OWN_PART || limit >= LONGEST_MS;
      if (isOwn) slow += 1;
      else limit *= 2;
      if (slow >= TRIES) throw error;
    }
  }
}

/** Whether filling in was given up for its time. */
export const isTooSlow = (error: unknown): boolean => /render limit/.test((error as Error).message);
