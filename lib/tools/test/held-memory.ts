/**
 * What a process holds, for tests that it does not grow with its input. What the system counts (resident memory) says rather
 * when the engine last looked for garbage, and differs from run to run; what is left after a collection does not. The
 * process must be started with `heldMemoryOptions`.
 */

/** Options of Node for a process that measures what it holds. */
export const heldMemoryOptions = ["--expose-gc"];

/** Measures when told to, every `every`th time, and keeps the most that was held: heap and buffers, in whole megabytes. */
export function heldMemory(every = 1) {
  let [calls, most] = [0, 0];
  return {
    measure() {
      if (calls++ % every !== 0) return;
      if (!globalThis.gc) throw new Error(`Start this process with ${heldMemoryOptions.join(" ")}.`);
      globalThis.gc();
      const { heapUsed, external } = process.memoryUsage();
      most = Math.max(most, heapUsed + external);
    },
    megabytes: () => Math.round(most / 1_000_000),
  };
}
