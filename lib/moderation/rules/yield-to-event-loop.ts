import { setImmediate as nextTurn } from "node:timers/promises";

/** Yields to other work if ten milliseconds have passed. */
export class EventLoopYielder {
  #since = performance.now();
  async yieldIfDue(): Promise<void> {
    if (performance.now() - this.#since < 10) return;
    await nextTurn();
    this.#since = performance.now();
  }
}
