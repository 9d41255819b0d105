import { AppError } from "@/lib/platform/errors";
import type { Params, Reason } from "@/lib/platform/issue";

/** A file that cannot be used at all. */
export function unreadableFile(reason: Reason, params?: Params, cause?: unknown): AppError {
  return new AppError("invalid_field", { reason, params, field: "file", cause });
}
