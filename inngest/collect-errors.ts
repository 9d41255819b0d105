import { NonRetriableError } from "inngest";

/**
 * For a run that does many things for many clients: what one of them meets, for good, keeps none of the others from being
 * done. `end` fails the run with all that was met, so that it shows among those that failed, and is not begun anew for it:
 * its next time is.
 */
export function collectErrors() {
  const errors: string[] = [];
  const record = (what: string, fault: string): void => {
    errors.push(`${what}: ${fault}`);
  };
  return {
    /** What kept a part of the work from being done. */
    note: record,
    /** The work's result; null where it failed. */
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
