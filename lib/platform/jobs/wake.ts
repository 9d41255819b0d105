import { perProcess } from "@/lib/platform/process";

/** A signal that a loop in this process waits for. A wake without a waiter counts for the next wait. */
export class WakeSignal {
  #pending = false;
  #waiters = new Set<() => void>();

  wake(): void {
    if (this.#waiters.size === 0) this.#pending = true;
    for (const resume of [...this.#waiters]) resume();
  }

  /** Resolves on the next wake, and after `milliseconds` in any case. */
  wait(milliseconds: number, stopped: AbortSignal): Promise<void> {
    if (this.#pending || stopped.aborted) {
      this.#pending = false;
      return Promise.resolve();
    }
    return new Promise((resolve) => {
      const resume = () => {
        clearTimeout(timer);
        stopped.removeEventListener("abort", resume);
        this.#waiters.delete(resume);
        resolve();
      };
      const timer = setTimeout(resume, milliseconds);
      stopped.addEventListener("abort", resume);
      this.#waiters.add(resume);
    });
  }
}

/** This process's signal for `outbox` (events were committed) or `runs` (runs were queued). */
export const wakeSignal = (name: "outbox" | "runs"): WakeSignal => perProcess(`wake:${name}`, () => new WakeSignal());
