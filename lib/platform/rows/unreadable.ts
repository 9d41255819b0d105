import { AppError } from "@/lib/platform/errors";

/** A file that cannot be used at all. */
export function unreadable(message: string, cause?: unknown): AppError {
  return new AppError("invalid_field", message, { field: "file", cause });
}
