import { NonRetriableError } from "inngest";

/**
 * For a run with work for many clients: a permanent error of one doesn't stop the others. `throwIfAny` fails the run
 * with all errors, so that it is listed as failed, without a retry: the next scheduled run is the retry.
 */
export function collectErrors() {
  const errors: string[] = [];
  const record = (partName: string, problem: string): void => {
    errors.push(`${partName}: ${problem}`);
  };
  return {
    /** Records an error of a part of the work. */
    note: record,
    /** The work's result; null if it failed. */
    async attempt<T>(what: string, work: () => Promise<T>): Promise<T | null> {
      try {
        return await work();
      } catch (error) {
        record(what, error instanceof Error ? error.message : String(error));
        return null;
      }
    },
    throwIfAny(): void {
      if (errors.length > 0) throw new NonRetriableError(errors.join("; "));
    },
  };
}
