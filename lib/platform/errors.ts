import { englishOf } from "@/lib/platform/i18n/english-errors";
import { type ErrorCode, errorStatus, type Issue, type Params, type Reason } from "@/lib/platform/issue";

type Details = {
  /** extra response headers, such as Retry-After */
  headers?: Record<string, string>;
  cause?: unknown;
} & ({ reason: Reason; params?: Params; field?: string | null } | { issues: readonly Issue[] });

/**
 * The only error class of the service: a code, and a reason with parameters for each issue. `message` is the English
 * text; `cause` is only for the log.
 */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly issues: readonly Issue[];
  readonly headers: Record<string, string>;

  constructor(code: ErrorCode, details: Details) {
    const issues =
      "issues" in details
        ? details.issues
        : [{ field: details.field ?? null, reason: details.reason, params: details.params }];
    super(issues.map(englishOf).join(" "), { cause: details.cause });
    this.name = "AppError";
    this.code = code;
    this.issues = issues;
    this.headers = details.headers ?? {};
  }

  get status(): number {
    return errorStatus[this.code];
  }
}

/** Throws `invalid_field` with all issues. Does nothing if there are none. */
export function throwIssues(issues: readonly Issue[]): void {
  if (issues.length > 0) throw new AppError("invalid_field", { issues });
}

/** An issue as in API responses. `code` is the response's code unless the issue has its own. */
export const publicIssue = (issue: Issue, code: ErrorCode) => ({ code: issue.code ?? code, ...toPublicIssue(issue) });

/** An issue in a successful response, without a code. */
export const toPublicIssue = ({ field, reason, params = {} }: Issue) => ({
  message: englishOf({ reason, params, field }),
  field,
  reason,
  params,
});
