import { AppError } from "@/lib/platform/errors";
import { takeToken } from "@/lib/platform/http/rate-limit";

/** Whether `visitor` may submit a form now. If not, the form says so and keeps the input. */
export function isWithinRateLimit(visitor: string): boolean {
  try {
    takeToken("submission", visitor);
    return true;
  } catch (error) {
    if (error instanceof AppError && error.code === "rate_limited") return false;
    throw error;
  }
}
