/** An engine's slots for runs that wait for other systems. */
export type Slots = { all: number; free: number };

/** A run that could be claimed, and the number of running runs its store would then have. */
export type Candidate = { id: string; holds: number };

/** Share of slots reserved for stores without running runs. */
const RESERVE = 1 / 3;

/**
 * Selects runs to claim from candidates sorted by `holds`. A store gets a second slot only while the reserve stays
 * free, so that slow partners of some stores don't block others.
 */
export function fairShare(candidates: Candidate[], { all, free }: Slots): string[] {
  const selected: string[] = [];
  for (const { id, holds } of candidates) {
    const left = free - selected.length - 1;
    if (left < 0 || (holds > 1 && left < all * RESERVE)) break;
    selected.push(id);
  }
  return selected;
}
