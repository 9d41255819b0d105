import { englishOf } from "@/lib/platform/i18n/english-errors";
import { type ErrorCode, errorStatus, type Issue, type Params, type Reason } from "@/lib/platform/issue";

type Details = {
  /** extra answer headers, such as Retry-After */
  headers?: Record<string, string>;
  cause?: unknown;
} & ({ reason: Reason; params?: Params; field?: string | null } | { issues: readonly Issue[] });

/**
 * The only error class of the service: a code, and for each thing that is wrong a reason of the catalogue with its
 * parameters. `message` is the English of it; `cause` is for the log alone.
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

/** Throws `invalid_field` with all issues at once; does nothing when there are none. */
export function throwIssues(issues: readonly Issue[]): void {
  if (issues.length > 0) throw new AppError("invalid_field", { issues });
}

/** An issue as the API tells it: `code` is that of the whole answer where it has none of its own. */
export const publicIssue = (issue: Issue, code: ErrorCode) => ({ code: issue.code ?? code, ...toPublicIssue(issue) });

/** The same beside something that did work. */
export const toPublicIssue = ({ field, reason, params = {} }: Issue) => ({
  message: englishOf({ reason, params, field }),
  field,
  reason,
  params,
});
