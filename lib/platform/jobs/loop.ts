import { recordOutOfSpace } from "@/lib/platform/db/out-of-space";
import { isDatabaseUnavailable } from "@/lib/platform/db/pool";
import type { WakeSignal } from "@/lib/platform/jobs/wake";
import { log } from "@/lib/platform/log";

/**
 * Calls `work` repeatedly until stopped: on the signal, and every `milliseconds`. Logs failures and continues, since
 * all work is stored in the database. Resolves when stopped.
 */
export async function repeat(
  name: string,
  work: () => Promise<unknown>,
  { milliseconds, signal, stopped }: { milliseconds: number; signal: WakeSignal; stopped: AbortSignal },
): Promise<void> {
  let failures = 0;
  while (!stopped.aborted) {
    try {
      await work();
      failures = 0;
    } catch (error) {
      failures += 1;
      recordOutOfSpace(error);
      // An unavailable database is logged once, not every second.
      if (failures === 1 || !isDatabaseUnavailable(error))
        log.error({ err: error, loop: name }, "background work failed");
    }
    if (stopped.aborted) return;
    // After a failure the signal is ignored, so that a lasting error can't spin.
    if (failures > 0) await pause(Math.min(milliseconds * 2 ** Math.min(failures, 5), 15_000), stopped);
    else await signal.wait(milliseconds, stopped);
  }
}

const pause = (milliseconds: number, stopped: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      stopped.removeEventListener("abort", end);
      resolve();
    };
    const timer = setTimeout(end, milliseconds);
    stopped.addEventListener("abort", end);
  });
