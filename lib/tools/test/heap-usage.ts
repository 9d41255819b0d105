/**
 * Memory use of a process, for tests that it doesn't grow with its input. Resident memory depends on when garbage was
 * last collected and varies between runs; the heap after a collection doesn't. Start the process with
 * `heapUsageOptions`.
 */

/** Node options for a process that measures its heap. */
export const heapUsageOptions = ["--expose-gc"];

/** Every `every`th call of `measure` takes a measurement. Keeps the maximum of heap and buffers, in whole megabytes. */
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
