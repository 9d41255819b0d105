import { TOO_SLOW } from "@/lib/platform/mail/liquid-worker";

/** A slow one is tried so often: the first time reads the template, and memory may be cleared in any of them. */
const TRIES = 3;
/** Milliseconds that one try may last by the clock, on a machine that is busy with other things. */
const MAX_BUDGET_MS = 1_920;
/** Where the processor worked for it so large a part of a try's time, the machine was not what kept it. */
const MIN_CPU_SHARE = 0.7;

/** One try: what was made, null where it was given up for its time, and the processor's milliseconds that it took. */
export type RenderAttempt = { text: string | null; cpuMs: number };

/**
 * Fills in a template, which may take `most` milliseconds of the processor at its best, whatever else the machine is busy
 * with. `fill` is handed the milliseconds by the clock after which it is to give up. Takes off `clock.left` what each try
 * took. Throws what `fill` throws where the template is at fault, and what {@link isTooSlow} knows where it was slow by
 * itself in three tries.
 */
export async function renderWithinBudget(
  fill: (most: number) => Promise<RenderAttempt>,
  most: number,
  clock: { left: number },
): Promise<string> {
  let limit = most;
  for (let slow = 0; slow < TRIES; ) {
    const { text, cpuMs } = await fill(limit);
    clock.left -= text === null ? Math.max(limit, cpuMs) : cpuMs;
    // More than it was handed: it did not give up by itself, and was ended.
    if (text === null && cpuMs > MAX_BUDGET_MS) break;
    // Within `most` by the clock it was quick, whatever it took: reading a template the first time is not filling in.
    if (text !== null && (limit === most || cpuMs <= most)) return text;
    const wasPreempted = text === null && cpuMs < most && cpuMs < limit * MIN_CPU_SHARE && limit < MAX_BUDGET_MS;
    if (wasPreempted) limit *= 2;
    else slow += 1;
  }
  throw new Error(TOO_SLOW);
}

/** Whether filling in was given up for its time. */
export const isTooSlow = (error: unknown): boolean => /render limit/.test((error as Error).message);
