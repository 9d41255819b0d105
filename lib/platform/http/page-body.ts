import { AppError } from "@/lib/platform/errors";
import { takeBytes } from "@/lib/platform/http/rate-limit";
import type { Issue, Params, Reason } from "@/lib/platform/issue";

const MiB = 1024 * 1024;
const KiB = 1024;
/** Limit for a form without files: reading a megabyte of `a&a&a…` takes seconds. */
const MAX_PLAIN_FORM = 16 * KiB;

/**
 * Maximum bytes of a page request's body. Next reads a server action's form completely before any guard of the page
 * runs, so only public forms with photos may be large.
 */
const limitOf = (path: string, type: string): number => {
  if (/^application\/x-www-form-urlencoded\b/i.test(type.trim())) return MAX_PLAIN_FORM;
  if (/^\/((?:r|edit)\/[^/]+|reviews\/new)$/.test(path)) return 110 * MiB;
  if (path === "/api/inngest") return 8 * MiB; // each call contains the run's steps
  return MiB;
};

export type PageBodyError = {
  status: 411 | 413 | 429;
  reason: Reason;
  params?: Params;
  headers?: Record<string, string>;
};

/** Checks a page request before its body is read. Null if it's allowed. */
export function checkPageBody(
  path: string,
  headers: { "content-length"?: string; "content-type"?: string; "transfer-encoding"?: string },
): PageBodyError | null {
  if (headers["transfer-encoding"] !== undefined) {
    return { status: 411, reason: "length_required" };
  }
  const maxBytes = limitOf(path, headers["content-type"] ?? "");
  if (Number(headers["content-length"] ?? 0) <= maxBytes) return null;
  return maxBytes < MiB
    ? { status: 413, reason: "form_too_large", params: { kib: maxBytes / KiB } }
    : { status: 413, reason: "body_too_large", params: { mib: maxBytes / MiB } };
}

/**
 * Checks the sender's (an address or network) recent bytes: bodies of forms with photos are as large as uploads and
 * share their limit. Takes the bytes if allowed and returns null. Job requests are exempt.
 */
export function checkPageRate(path: string, sender: () => string, length: string | undefined): PageBodyError | null {
  const bytes = Number(length ?? 0);
  if (!(bytes > 0) || path === "/api/inngest") return null;
  try {
    takeBytes("upload_bytes", sender(), bytes);
    return null;
  } catch (error) {
    if (error instanceof AppError && error.code === "rate_limited") {
      const [{ reason, params }] = error.issues as [Issue];
      return { status: 429, reason, params, headers: error.headers };
    }
    throw error;
  }
}
