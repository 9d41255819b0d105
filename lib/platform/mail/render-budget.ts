import { TOO_SLOW } from "@/lib/platform/mail/liquid-worker";

/** Maximum slow attempts: the first also parses the template, and any may include garbage collection. */
const TRIES = 3;
/** Maximum wall-clock milliseconds of an attempt on a busy machine. */
const MAX_BUDGET_MS = 1_920;
/** With at least this share of CPU time, the machine wasn't the cause of a slow attempt. */
const MIN_CPU_SHARE = 0.7;

/** One attempt: the text, or null if it timed out, and the CPU milliseconds it took. */
export type RenderAttempt = { text: string | null; cpuMs: number };

/**
 * Renders a template within `most` CPU milliseconds, regardless of the machine's load. Calls `fill` with the wall-clock
 * milliseconds after which it must stop, and deducts each attempt from `clock.left`. Throws the error of `fill` if the
 * template is invalid, and one that {@link isTooSlow} recognizes after three slow attempts.
 */
export async function renderWithinBudget(
  fill: (most: number) => Promise<RenderAttempt>,
  maxMs: number,
  clock: { left: number },
): Promise<string> {
  let limit = maxMs;
  for (let slow = 0; slow < TRIES; ) {
    const { text, cpuMs } = await fill(limit);
    clock.left -= text === null ? Math.max(limit, cpuMs) : cpuMs;
    // Above any limit: it didn't stop by itself and was terminated.
    if (text === null && cpuMs > MAX_BUDGET_MS) break;
    // Fast enough by the wall clock, whatever CPU it took: parsing a template the first time doesn't count.
    if (text !== null && (limit === maxMs || cpuMs <= maxMs)) return text;
    const wasPreempted = text === null && cpuMs < maxMs && cpuMs < limit * MIN_CPU_SHARE && limit < MAX_BUDGET_MS;
    if (wasPreempted) limit *= 2;
    else slow += 1;
  }
  throw new Error(TOO_SLOW);
}

/** Whether rendering timed out. */
export const isTooSlow = (error: unknown): boolean => /render limit/.test((error as Error).message);
