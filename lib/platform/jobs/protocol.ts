// The execution protocol between an Inngest server and an SDK's serve() endpoint, as far as it's used here: the server
// posts the event and finished steps; the endpoint runs the function to its next step and returns the result. Used by
// the embedded engine and the tests' fake Inngest server.

export type JobEvent = { id: string; name: string; data: Record<string, unknown>; ts: number };

export type JobError = { name?: string; message: string; stack?: string };

/** A function's configuration, as its endpoint registers it. */
export type FunctionConfig = {
  id: string;
  name?: string;
  triggers: ({ event?: string; cron?: string } & Record<string, unknown>)[];
  steps: Record<string, { runtime?: { url?: string }; retries?: { attempts?: number } }>;
} & Record<string, unknown>;

/** A step as reported by the function. `name` of a sleep is its duration. */
export type StepOp = {
  id: string;
  op: string;
  name?: string;
  displayName?: string;
  data?: unknown;
  error?: JobError;
};

export type FunctionCall = {
  functionId: string;
  runId: string;
  event: JobEvent;
  attempt: number;
  maxAttempts: number;
  /** finished steps in the order they finished */
  finished: { id: string; data?: unknown; error?: JobError | null }[];
};

/** The result of a call. `retryAfter`: the time that the function requested, if any. */
export type CallResult =
  | { kind: "finished"; output: unknown }
  | { kind: "steps"; steps: StepOp[]; retryAfter: Date | null }
  | { kind: "error"; error: JobError; final: boolean; retryAfter: Date | null };

/** A response of the endpoint; header names are lowercase. */
export type Reply = { status: number; headers: Record<string, string>; body: string };

/** Sends a call to the endpoint: in process for the embedded engine, over signed HTTP for a server. */
export type Post = (url: string, body: string) => Promise<Reply>;

/** Calls a function by the protocol. Never throws: an unavailable endpoint or invalid response is an `error` result. */
export async function callFunction(post: Post, serveUrl: string, call: FunctionCall): Promise<CallResult> {
  const url = new URL(serveUrl);
  url.searchParams.set("fnId", call.functionId);
  url.searchParams.set("stepId", "step");
  const stack = call.finished.map(({ id }) => id);
  const body = JSON.stringify({
    version: 2,
    event: call.event,
    events: [call.event],
    steps: Object.fromEntries(
      call.finished.map(({ id, data, error }) => [
        id,
        error ? { type: "error", error } : { type: "data", data: data ?? null },
      ]),
    ),
    // Without `fn_id` the SDK doesn't save steps on its own.
    ctx: {
      run_id: call.runId,
      attempt: call.attempt,
      max_attempts: call.maxAttempts,
      disable_immediate_execution: false,
      use_api: false,
      stack: { stack, current: stack.length },
    },
  });
  try {
    return readReply(await post(url.href, body));
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return {
      kind: "error",
      error: { name: "CallError", message: `The function could not be called: ${message}` },
      final: false,
      retryAfter: null,
    };
  }
}

function readReply(reply: Reply): CallResult {
  const retryAfter = readRetryAfter(reply.headers["retry-after"]);
  let body: unknown;
  try {
    body = reply.body === "" ? null : JSON.parse(reply.body);
  } catch {
    throw new Error(`it responded with status ${reply.status} and something that isn't JSON`);
  }
  if (reply.status === 200) return { kind: "finished", output: body };
  if (reply.status === 206) {
    const steps = (Array.isArray(body) ? body : [body]) as StepOp[];
    const complete = steps.find(({ op }) => op === "RunComplete");
    return complete ? { kind: "finished", output: complete.data ?? null } : { kind: "steps", steps, retryAfter };
  }
  const final = reply.headers["x-inngest-no-retry"] === "true";
  return { kind: "error", error: readError(body, reply.status), final, retryAfter };
}

function readError(body: unknown, status: number): JobError {
  const found = (body ?? {}) as { name?: unknown; message?: unknown; stack?: unknown; error?: unknown };
  const message = found.message ?? found.error ?? `The endpoint answered ${status}.`;
  return {
    name: typeof found.name === "string" ? found.name : "Error",
    message: typeof message === "string" ? message : JSON.stringify(message),
    ...(typeof found.stack === "string" ? { stack: found.stack } : {}),
  };
}

/** Reads Retry-After: seconds or a date. */
function readRetryAfter(value: string | undefined): Date | null {
  if (!value) return null;
  const moment = /^\d+$/.test(value) ? Date.now() + Number(value) * 1_000 : Date.parse(value);
  return Number.isNaN(moment) ? null : new Date(moment);
}

const unit = { w: 604_800_000, d: 86_400_000, h: 3_600_000, m: 60_000, s: 1_000 } as const;

/** Milliseconds of a duration such as `1d2h30s`. Null for anything else. */
export function durationOf(text: string): number | null {
  if (!/^(?:\d+[wdhms])+$/.test(text)) return null;
  return text
    .split(/(?<=[wdhms])/)
    .reduce((sum, part) => sum + Number.parseInt(part, 10) * unit[part.at(-1) as keyof typeof unit], 0);
}
