import { setImmediate as nextTurn } from "node:timers/promises";

/** Gives others a turn when ten milliseconds have passed. */
export class Turns {
  #since = performance.now();
  async give(): Promise<void> {
    if (performance.now() - this.#since < 10) return;
    await nextTurn();
    this.#since = performance.now();
  }
}
