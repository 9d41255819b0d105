import { AppError } from "@/lib/platform/errors";
import { takeToken } from "@/lib/platform/http/rate-limit";

/** Whether `visitor` may send a form now. One who is too quick is told so by the form, which keeps what was typed. */
export function isWithinRateLimit(visitor: string): boolean {
  try {
    takeToken("submission", visitor);
    return true;
  } catch (error) {
    if (error instanceof AppError && error.code === "rate_limited") return false;
    throw error;
  }
}
