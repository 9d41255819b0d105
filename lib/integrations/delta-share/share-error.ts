import type http from "node:http";
import { AppError } from "@/lib/platform/errors";
import type { Notice } from "@/lib/platform/issue";
import { quotedText } from "@/lib/platform/storable-text";

/**
 * Kind of error, which decides what follows. `credential`: profile rejected; `missing`: no such share, schema, table or
 * version; `unreadable`: unsupported table or file format; `rejected`: invalid request; `expired`: file URL expired;
 * `damaged`: the file differs from the share's description; `busy`: may succeed later.
 */
export type ShareErrorKind = "credential" | "missing" | "unreadable" | "rejected" | "expired" | "damaged" | "busy";

type ShareErrorDetails = { status?: number; retryAfter?: number; cause?: unknown };

/** An error response of the share. `message` tells people what to do and contains no secrets. */
export class ShareError extends AppError {
  constructor(
    readonly kind: ShareErrorKind,
    notices: Notice | readonly Notice[],
    readonly details: ShareErrorDetails = {},
  ) {
    super(kind === "busy" || kind === "expired" ? "unavailable" : "invalid_field", {
      issues: [notices].flat().map((notice) => ({ ...notice, field: null })),
      cause: details.cause,
    });
  }
}

const MAX_QUOTED_LENGTH = 300;
/** Maximum length to process of an error code. */
const MAX_READ_LENGTH = 2_000;

/** The error of a response whose status isn't 200. `what` names what was requested. */
export function toShareError(
  status: number,
  headers: http.IncomingHttpHeaders,
  body: string,
  what: string,
): ShareError {
  const { code, serverMessage } = parseErrorBody(body);
  const withResponseText = (notice: Notice): Notice[] =>
    serverMessage ? [notice, { reason: "share_says", params: { said: serverMessage } }] : [notice];
  const details = {
    status,
    retryAfter: readRetryAfter(headers["retry-after"]),
  };
  if (status >= 300 && status < 400) return new ShareError("missing", { reason: "share_redirects" }, details);
  if (status === 429) return new ShareError("busy", { reason: "share_throttles" }, details);
  if (status >= 500) return new ShareError("busy", { reason: "share_unavailable", params: { status } }, details);
  if (status === 401 || status === 403)
    return new ShareError(
      "credential",
      withResponseText({ reason: "share_refuses_profile", params: { status } }),
      details,
    );
  if (
    /UNSUPPORTED_DELTA_TABLE_FEATURES|DELETION_?VECTOR|COLUMN_?MAPPING|responseformat/i.test(`${code} ${serverMessage}`)
  )
    return new ShareError("unreadable", unreadableFormat(what), details);
  if (status === 404 || /DOES_NOT_EXIST|NOT_FOUND/.test(code))
    return new ShareError("missing", withResponseText({ reason: "share_without", params: { what } }), details);
  return new ShareError("rejected", withResponseText({ reason: "share_rejected", params: { what, status } }), details);
}

export const unreadableFormat = (what: string): Notice => ({ reason: "delta_format_only", params: { what } });

function parseErrorBody(body: string): { code: string; serverMessage: string } {
  try {
    const { errorCode, message } = JSON.parse(body) as {
      errorCode?: unknown;
      message?: unknown;
    };
    return {
      code: typeof errorCode === "string" ? errorCode.slice(0, MAX_READ_LENGTH) : "",
      // Stored with the run, so it's cut.
      serverMessage: typeof message === "string" ? quotedText(message, MAX_QUOTED_LENGTH) : "",
    };
  } catch {
    return { code: "", serverMessage: "" }; // a proxy's page
  }
}

/** Seconds or a date; undefined if there is neither. */
function readRetryAfter(value: string | undefined): number | undefined {
  if (value === undefined) return undefined;
  const seconds = /^\d+$/.test(value) ? Number(value) : (Date.parse(value) - Date.now()) / 1_000;
  return Number.isFinite(seconds) ? Math.max(0, Math.ceil(seconds)) : undefined;
}
