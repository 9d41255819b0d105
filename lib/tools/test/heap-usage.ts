/**
 * What a process holds, for tests that it does not grow with its input. What the system counts (resident memory) says rather
 * when the engine last looked for garbage, and differs from run to run; what is left after a collection does not. The
 * process must be started with `heapUsageOptions`.
 */

/** Options of Node for a process that measures what it holds. */
export const heapUsageOptions = ["--expose-gc"];

/** Measures when told to, every `every`th time, and keeps the most that was held: heap and buffers, in whole megabytes. */
export function heapUsage(every = 1) {
  let [calls, max] = [0, 0];
  return {
    measure() {
      if (calls++ % every !== 0) return;
      if (!globalThis.gc) throw new Error(`Start this process with ${heapUsageOptions.join(" ")}.`);
      globalThis.gc();
      const { heapUsed, external } = process.memoryUsage();
      max = Math.max(max, heapUsed + external);
    },
    megabytes: () => Math.round(max / 1_000_000),
  };
}
