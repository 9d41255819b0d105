/** An engine's slots for runs that wait for other systems. */
export type Slots = { all: number; free: number };

/** A run that could be taken, and how many its store would have running then. */
export type Candidate = { id: string; holds: number };

/** The part of the slots that is kept for stores that have nothing running. */
const RESERVE = 1 / 3;

/**
 * Which of the runs are taken; they come in the order of `holds`. A store gets a second slot only while the reserve stays
 * free, so that slow partners of some stores leave room for the others.
 */
export function fairShare(candidates: Candidate[], { all, free }: Slots): string[] {
  const taken: string[] = [];
  for (const { id, holds } of candidates) {
    const left = free - taken.length - 1;
    if (left < 0 || (holds > 1 && left < all * RESERVE)) break;
    taken.push(id);
  }
  return taken;
}
