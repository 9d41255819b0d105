import { RetryAfterError } from "inngest";
import { AppError } from "@/lib/platform/errors";

/** Runs a step's work; if the service it needs returns Retry-After, the step is repeated then. */
export async function withRetryAfter<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const seconds = error instanceof AppError ? Number(error.headers["Retry-After"]) : Number.NaN;
    if (!Number.isFinite(seconds)) throw error;
    throw new RetryAfterError((error as AppError).message, Math.max(1, seconds) * 1_000, { cause: error });
  }
}
