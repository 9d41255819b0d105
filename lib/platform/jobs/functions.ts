import { Cron } from "croner";
import type { InngestFunction } from "inngest";
import { type Inngest, InngestCommHandler } from "inngest";
import { durationOf, type FunctionConfig, type JobEvent, type Post, type Reply } from "@/lib/platform/jobs/protocol";

/** An Inngest client and its functions. */
export type JobsApp = {
  client: Inngest.Any;
  functions: readonly InngestFunction.Any[];
  /** functions that wait for other systems: the embedded engine runs them in separate slots */
  outside?: readonly InngestFunction.Any[];
  /** current names of jobs by former ones */
  renamed?: Readonly<Record<string, string>>;
};

export type JobFunction = {
  /** with the application's prefix, as in the protocol: `candor-send-mail` */
  id: string;
  maxAttempts: number;
  /** names of the events that trigger it */
  events: string[];
  /** cron expressions with their time zones */
  crons: { pattern: string; timeZone: string }[];
  /** maximum concurrent runs per result of `keyOf`; two limits at most */
  concurrency: { limit: number; keyOf: (event: JobEvent) => string }[];
  /** per result of `keyOf`, one run starts every `every` milliseconds, plus `burst` more immediately */
  throttle: { every: number; burst: number; keyOf: (event: JobEvent) => string } | null;
  /** events with the same result of `keyOf` become one run until it starts, `wait` milliseconds after the first */
  debounce: { wait: number; keyOf: (event: JobEvent) => string } | null;
  /** waits for other systems, and must not delay own work */
  isOutside: boolean;
};

export type Jobs = {
  appId: string;
  functions: Map<string, JobFunction>;
  /** current ids by former ones, which an older process beside this one still queues */
  renamed: Map<string, string>;
  /** names of all events that trigger a function */
  eventNames: string[];
  post: Post;
};

/** Nominal URL of the functions; only its query matters for calls in process. */
export const serveUrl = "http://candor.internal/api/inngest";

/**
 * Reads the functions and their configuration as an Inngest server would, for calls in process through the SDK's
 * request handler. Throws for options that the embedded engine doesn't support, so that no function behaves differently
 * than on Inngest.
 */
export async function readJobs(app: JobsApp): Promise<Jobs> {
  // Only this process can call it.
  const handle = handlerOf(app, { skipSignatureValidation: true });
  const post: Post = (url, body) => handle({ method: "POST", url, body, headers: {} });
  const reply = await handle({
    method: "PUT",
    url: serveUrl,
    body: JSON.stringify({ url: serveUrl }),
    headers: { "x-inngest-sync-kind": "in_band" },
  });
  if (reply.status !== 200) throw new Error(`Could not read the functions: ${reply.body}`);
  const configs = (JSON.parse(reply.body) as { functions: FunctionConfig[] }).functions;
  const outside = new Set((app.outside ?? []).map((found) => found.id(app.client.id)));
  const read = configs.map((config) => ({ ...readFunction(config), isOutside: outside.has(config.id) }));
  return {
    appId: app.client.id,
    functions: new Map(read.map((found) => [found.id, found])),
    renamed: new Map(
      Object.entries(app.renamed ?? {}).map((ids) => ids.map((id) => `${app.client.id}-${id}`) as [string, string]),
    ),
    eventNames: [...new Set(read.flatMap(({ events }) => events))],
    post,
  };
}

type Request = { method: string; url: string; body: string; headers: Record<string, string> };

type HandlerOptions = {
  skipSignatureValidation?: boolean;
  serveOrigin?: string;
  servePath?: string;
  enableUnauthedSync?: boolean;
};

/** The SDK's request handler for these functions, called in process. */
export const handlerOf = (
  { client, functions }: JobsApp,
  options: HandlerOptions,
): ((request: Request) => Promise<Reply>) =>
  new InngestCommHandler({
    frameworkName: "candor",
    client,
    functions,
    ...options,
    handler: (call: Request) => ({
      method: () => call.method,
      url: () => new URL(call.url),
      body: () => call.body,
      headers: (name: string) => call.headers[name.toLowerCase()] ?? null,
      transformResponse: ({ status, headers, body }): Reply => ({ status, headers: lowerCase(headers), body }),
    }),
  }).createHandler();

const lowerCase = (headers: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));

const supported = {
  option: new Set(["id", "name", "triggers", "steps", "concurrency", "throttle", "debounce"]),
  trigger: new Set(["event", "cron"]),
  concurrency: new Set(["limit", "key"]),
  debounce: new Set(["period", "timeout", "key"]),
  throttle: new Set(["limit", "period", "burst", "key"]),
};

/** Converts a function's configuration for the engine. Throws a one-line error for unsupported options. */
export function readFunction(config: FunctionConfig): JobFunction {
  const { id, triggers } = config;
  if (triggers.some(({ event }) => event === "inngest/function.failed")) throw unsupportedError(id, "`onFailure`");
  rejectUnsupported(id, "option", config);
  for (const trigger of triggers) rejectUnsupported(id, "trigger", trigger);
  const step = Object.values(config.steps)[0];
  return {
    id,
    // The SDK's default: three retries after the first attempt.
    maxAttempts: (step?.retries?.attempts ?? 3) + 1,
    events: triggers.flatMap(({ event }) => event ?? []),
    crons: triggers.flatMap(({ cron }) => (cron ? [readCron(id, cron)] : [])),
    concurrency: readConcurrency(config),
    throttle: readThrottle(config),
    debounce: readDebounce(config),
    isOutside: false,
  };
}

const unsupportedError = (id: string, what: string): Error =>
  new Error(`Function ${id}: the embedded engine does not support ${what}`);

function rejectUnsupported(id: string, place: keyof typeof supported, given: Record<string, unknown>): void {
  const other = Object.keys(given).find((name) => given[name] !== undefined && !supported[place].has(name));
  if (other === undefined) return;
  const name = other === "expression" ? "if" : other === "cancel" ? "cancelOn" : other;
  throw unsupportedError(id, `\`${name}\`${place === "option" ? "" : ` in a ${place}`}`);
}

/** `TZ=Europe/Stockholm 0 9 * * *`, or without a time zone in UTC. */
function readCron(functionId: string, text: string): { pattern: string; timeZone: string } {
  const [, timeZone = "UTC", pattern = ""] = /^(?:TZ=(\S+)\s)?(.*)$/.exec(text.trim()) ?? [];
  try {
    new Cron(pattern, { timezone: timeZone, paused: true }).nextRun();
  } catch (cause) {
    throw new Error(`Function ${functionId}: the schedule "${text}" is invalid`, { cause });
  }
  return { pattern, timeZone };
}

/** A key is one member of the event's data. Without a key all runs share one. */
function readKey(id: string, key: string | undefined, name = id): (event: JobEvent) => string {
  const [, member] = /^event\.data\.(\w+)$/.exec(key ?? "") ?? [];
  if (key !== undefined && member === undefined) throw unsupportedError(id, `the key "${key}", only event.data.<name>`);
  return ({ data }) => `${name}:${member === undefined ? "" : String(data[member] ?? null)}`;
}

/** Up to two concurrency limits on the function's own runs, each with its own key, as on Inngest. */
function readConcurrency({ id, concurrency }: FunctionConfig): JobFunction["concurrency"] {
  if (concurrency === undefined) return [];
  const given = (Array.isArray(concurrency) ? concurrency : [concurrency]) as (
    | number
    | { limit: number; key?: string }
  )[];
  const options = given.map((option) => (typeof option === "number" ? { limit: option } : option));
  if (options.length > 2) throw unsupportedError(id, "more than two `concurrency` limits");
  for (const option of options) rejectUnsupported(id, "concurrency", option);
  return options
    .filter(({ limit }) => limit > 0)
    .map(({ limit, key }, index) => ({ limit, keyOf: readKey(id, key, index === 0 ? id : `${id}/${index}`) }));
}

/**
 * The embedded engine starts the run one period after the first event instead of the last, so a timeout must be set.
 */
function readDebounce({ id, debounce }: FunctionConfig): JobFunction["debounce"] {
  if (debounce === undefined) return null;
  const { period, timeout, key } = debounce as { period: string; timeout?: string; key?: string };
  rejectUnsupported(id, "debounce", debounce as Record<string, unknown>);
  const wait = durationOf(period);
  if (timeout === undefined || wait === null)
    throw unsupportedError(id, "`debounce` without a `period` and a `timeout`");
  return { wait, keyOf: readKey(id, key) };
}

/**
 * `limit` runs per `period`, evenly spaced, plus `burst` more immediately, as on Inngest: other runs are delayed, not
 * dropped.
 */
function readThrottle({ id, throttle }: FunctionConfig): JobFunction["throttle"] {
  if (throttle === undefined) return null;
  const { limit, period, burst = 1, key } = throttle as { limit: number; period: string; burst?: number; key?: string };
  rejectUnsupported(id, "throttle", throttle as Record<string, unknown>);
  const length = durationOf(period) ?? 0;
  if (limit < 1 || length < 1_000 || length > 7 * 86_400_000)
    throw new Error(`Function ${id}: a throttle must allow at least one run per period of a second to a week`);
  return { every: length / limit, burst: limit + burst - 1, keyOf: readKey(id, key) };
}
