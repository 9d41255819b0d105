import { setTimeout as sleep } from "node:timers/promises";
import { AppError } from "@/lib/platform/errors";

/** Seconds; a wait that is longer is left to the job, which holds nothing meanwhile. */
const LONGEST_WAIT = 15;
/** Seconds, the least to wait after a 429 that does not say how long. */
const SLOW_DOWN = 10;

export type Patience = {
  /** milliseconds between attempts; as many attempts more as there are waits */
  waits?: readonly number[];
  /** hears of a 429 */
  slowDown?: (seconds: number) => Promise<void>;
};

/** An error of a partner's system that is only busy, or of the way to it. */
type Busy = AppError & { kind: "busy"; details: { status?: number; retryAfter?: number } };

const isBusy = (error: unknown): error is Busy => error instanceof AppError && (error as Partial<Busy>).kind === "busy";

/** Does the work, again after a while where the system is only busy. Throws what stands at the end. */
export async function retryWhileBusy<T>(
  work: () => Promise<T>,
  { waits = [1_000, 4_000], slowDown }: Patience,
): Promise<T> {
  for (let attempt = 0; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (!isBusy(error)) throw error;
      const { status, retryAfter = status === 429 ? SLOW_DOWN : 0 } = error.details;
      if (status === 429) await slowDown?.(retryAfter);
      const wait = waits[attempt];
      if (wait === undefined || retryAfter > LONGEST_WAIT) throw error;
      await sleep(Math.max(wait, retryAfter * 1_000));
    }
  }
}
