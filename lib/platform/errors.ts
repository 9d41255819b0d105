/** Every error code the service answers, with its HTTP status. Public submissions answer `invalid_field` as 406. */
export const errorStatus = {
  invalid_json: 400,
  invalid_cursor: 400,
  invalid_parameter: 400,
  client_id_required: 400,
  unauthorized: 401,
  client_forbidden: 403,
  forbidden: 403,
  not_found: 404,
  method_not_allowed: 405,
  conflict: 409,
  too_large: 413,
  unsupported_media_type: 415,
  invalid_field: 422,
  idempotency_key_reused: 422,
  rate_limited: 429,
  internal: 500,
  unavailable: 503,
} as const;

export type ErrorCode = keyof typeof errorStatus;

/** One thing that is wrong with a request. `field` is a path such as `order.items[0].delivery_date`. */
export type Issue = { code?: ErrorCode; message: string; field: string | null };

type Details = {
  field?: string;
  /** several issues at once; `message` is then only for the log */
  issues?: Issue[];
  /** extra answer headers, such as Retry-After */
  headers?: Record<string, string>;
  cause?: unknown;
};

/**
 * The only error class of the service. `message` is a sentence for the caller; `cause` is for the log alone.
 * HTTP, server actions, jobs and the admin command each translate it once.
 */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly issues: Issue[];
  readonly headers: Record<string, string>;

  constructor(code: ErrorCode, message: string, details: Details = {}) {
    super(message, { cause: details.cause });
    this.name = "AppError";
    this.code = code;
    this.issues = details.issues ?? [{ message, field: details.field ?? null }];
    this.headers = details.headers ?? {};
  }

  get status(): number {
    return errorStatus[this.code];
  }
}

/** Throws `invalid_field` with all issues at once; does nothing when there are none. */
export function throwIssues(issues: Issue[]): void {
  if (issues.length === 0) return;
  throw new AppError("invalid_field", issues.map((issue) => `${issue.field}: ${issue.message}`).join("; "), { issues });
}
