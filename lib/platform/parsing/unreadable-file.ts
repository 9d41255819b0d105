import { AppError } from "@/lib/platform/errors";
import type { Params, Reason } from "@/lib/platform/issue";

/** The error for a file that can't be used at all. */
export function unreadableFile(reason: Reason, params?: Params, cause?: unknown): AppError {
  return new AppError("invalid_field", { reason, params, field: "file", cause });
}
