import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import { once } from "node:events";
import http from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import { advanceRun, type Run, type Step, type StepStore } from "@/lib/platform/jobs/advance-run";
import { type JobFunction, readFunction } from "@/lib/platform/jobs/functions";
import {
  callFunction,
  type FunctionConfig,
  type JobError,
  type JobEvent,
  type Post,
} from "@/lib/platform/jobs/protocol";

// A local fake of an Inngest server, over real HTTP and as strict as the published SDK specification: the event API,
// both kinds of registration (requested by the server "in band", and sent by the service), signed calls and responses,
// key rotation, state fetched from the API if it is too large for a call, concurrency and throttles. Everything is in
// memory. It shares the execution of a run with the embedded engine; transport, keys, registration, event deduplication
// and flow control are its own.

export type FakeRun = {
  id: string;
  functionId: string;
  eventId: string;
  status: "running" | "done" | "failed";
  output: unknown;
  error: JobError | null;
};

type Options = {
  /** null, with `signingKey`: a development server, which signs nothing and accepts any event key */
  eventKey: string | null;
  signingKey: string | null;
  /** calls with more bytes of state omit it, to be fetched */
  maxCallBytes?: number;
  backoff?: (attempt: number) => number;
  /** the service's own fetch; tests inject failures here */
  fetch?: typeof fetch;
};

type StoredRun = FakeRun & {
  event: JobEvent;
  steps: (Step & { order: number })[];
  wake: () => void;
};

export class InngestFake {
  readonly runs: StoredRun[] = [];
  /** every event received, without duplicates */
  readonly events: JobEvent[] = [];
  /** what was rejected and why: a wrong key, a wrong signature */
  readonly refusals: string[] = [];
  readonly #options: Options;
  readonly #server = http.createServer((request, response) => void this.#serve(request, response));
  /** how often the state of a run was fetched */
  fetches = 0;
  /** the accepted registrations, oldest first */
  readonly registrations: Registration[] = [];
  /** current and maximum concurrent calls, by function and concurrency key */
  readonly peaks = new Map<string, { current: number; max: number }>();
  #functions: (JobFunction & { url: string })[] = [];
  #signingKey: string | null;
  #queues = new Map<string, (() => void)[]>();
  #nextStarts = new Map<string, number>();
  #debounced = new Map<string, StoredRun>();
  #stopped = false;
  #pendingWork = new Set<Promise<void>>();

  private constructor(options: Options) {
    this.#options = options;
    this.#signingKey = options.signingKey;
  }

  static async start(options: Options): Promise<InngestFake> {
    const fake = new InngestFake(options);
    fake.#server.listen(0, "127.0.0.1");
    await once(fake.#server, "listening");
    return fake;
  }

  /** Its URL, for INNGEST_BASE_URL or a client's `baseUrl`. */
  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** From now on, signs with this key and accepts no other. */
  rotate(signingKey: string): void {
    this.#signingKey = signingKey;
  }

  /** Requests the service's functions and registers them from the response, as Inngest's own pages do. */
  async syncInBand(serveUrl: string): Promise<void> {
    const { status, headers, text } = await this.#request("PUT", serveUrl, JSON.stringify({ url: serveUrl }), {
      "x-inngest-sync-kind": "in_band",
    });
    if (status !== 200 || headers.get("x-inngest-sync-kind") !== "in_band") throw new Error(`${status} ${text}`);
    const { app_id, ...body } = JSON.parse(text);
    this.#register({ ...body, appName: app_id, deployType: "ping", v: "0.1" });
  }

  /** Makes the service register its functions, as after a deployment. Throws with the response if that fails. */
  async sync(serveUrl: string): Promise<void> {
    const { status, text } = await this.#request("PUT", serveUrl, "{}");
    if (status !== 200) throw new Error(`${status} ${text}`);
  }

  /** The service's introspection, as returned to a caller with its key. */
  async inspect(serveUrl: string): Promise<Record<string, unknown>> {
    const { status, text } = await this.#request("GET", serveUrl, "");
    if (status !== 200) throw new Error(`${status} ${text}`);
    return JSON.parse(text) as Record<string, unknown>;
  }

  /** Starts a scheduled function, as if it were due. */
  tick(functionId: string): void {
    const found = this.#functions.find(({ id }) => id === functionId);
    const cron = found?.crons[0]?.pattern;
    if (!found || !cron) throw new Error(`${functionId} has no schedule.`);
    this.#start(found, { id: crypto.randomUUID(), name: "inngest/scheduled.timer", data: { cron }, ts: Date.now() });
  }

  /** Stops it: active runs are dropped. */
  async stop(): Promise<void> {
    this.#stopped = true;
    for (const run of this.runs) run.wake();
    await Promise.allSettled(this.#pendingWork);
    this.#server.close();
    this.#server.closeAllConnections();
  }

  async #serve(request: http.IncomingMessage, response: http.ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks).toString("utf8");
    const { pathname } = new URL(request.url ?? "/", this.url);
    const answer = this.#answer(request, pathname, body);
    response.writeHead(answer.status, { "content-type": "application/json" }).end(JSON.stringify(answer.body));
  }

  get #kind(): "cloud" | "dev" {
    return this.#signingKey === null ? "dev" : "cloud";
  }

  #answer(request: http.IncomingMessage, path: string, body: string): { status: number; body: unknown } {
    // "Requests made … without this header will be rejected."
    if (!/^[\w./-]+:v\d+\.\d+\.\d+/.test(String(request.headers["x-inngest-sdk"] ?? "")))
      return this.#reject("no x-inngest-sdk", 400);
    if (request.method === "POST" && path.startsWith("/e/")) {
      const { eventKey } = this.#options;
      if (eventKey !== null && path.slice(3) !== eventKey) return this.#reject("a wrong event key");
      return this.#receiveEvents(request, body);
    }
    const run = /^\/v0\/runs\/([^/]+)\/(actions|batch)$/.exec(path);
    if (request.method === "POST" && path === "/fn/register") {
      if (!this.#isAuthorized(request)) return this.#reject("a registration with a wrong signing key");
      const expected = request.headers["x-inngest-expected-server-kind"];
      if (expected !== undefined && expected !== this.#kind)
        return this.#reject("a registration for another kind", 400);
      return this.#register(JSON.parse(body));
    }
    if (request.method === "GET" && run) {
      if (!this.#isAuthorized(request)) return this.#reject("a fetch of state with a wrong signing key");
      const found = this.#omittedStates.get(run[1] ?? "");
      if (!found) return { status: 404, body: { error: "There is no such run.", status: 404 } };
      this.fetches += 1;
      return { status: 200, body: run[2] === "batch" ? found.events : found.steps };
    }
    return { status: 404, body: { error: "There is nothing here.", status: 404 } };
  }

  readonly #omittedStates = new Map<string, { events: unknown; steps: unknown }>();

  #isAuthorized(request: http.IncomingMessage): boolean {
    const key = this.#signingKey;
    return key === null || request.headers.authorization === `Bearer ${hashedKey(key)}`;
  }

  #receiveEvents(request: http.IncomingMessage, body: string): { status: number; body: unknown } {
    if (Buffer.byteLength(body) > 10 * 1024 * 1024) return this.#reject("a request above 10 MB", 413);
    const given = JSON.parse(body) as unknown;
    const events = z.array(eventSchema).safeParse(Array.isArray(given) ? given : [given]);
    if (!events.success) return this.#reject(`an event: ${z.prettifyError(events.error)}`, 400);
    if (events.data.some((event) => Buffer.byteLength(JSON.stringify(event)) > 512 * 1024))
      return this.#reject("an event above 512 kB", 413);
    // An event without an id gets one from the request's seed, so that a repeated request creates the same event.
    const seed = String(request.headers["x-inngest-event-id-seed"] ?? crypto.randomUUID());
    return {
      status: 200,
      body: { ids: this.#addEvents(events.data.map((event, n) => ({ id: `${seed}:${n}`, ...event }))), status: 200 },
    };
  }

  #register(given: unknown): { status: number; body: unknown } {
    const read = registration.safeParse(given);
    const issue = read.success ? registrationIssue(read.data) : z.prettifyError(read.error);
    if (!read.success || issue) return this.#reject(`a registration: ${issue}`, 400);
    const last = this.registrations.at(-1);
    const modified =
      JSON.stringify(last?.functions) !== JSON.stringify(read.data.functions) || last?.url !== read.data.url;
    this.registrations.push(read.data);
    this.#functions = read.data.functions.map((config) => ({
      ...readFunction(config as unknown as FunctionConfig),
      url: config.steps.step.runtime.url,
    }));
    return { status: 200, body: { ok: true, modified, status: 200 } };
  }

  #reject(what: string, status = 401): { status: number; body: unknown } {
    this.refusals.push(what);
    return { status, body: { error: status === 401 ? "Unauthorized" : what, status } };
  }

  /** Adds events; one with a known id is a duplicate. */
  #addEvents(given: Partial<JobEvent>[]): string[] {
    return given.map((part) => {
      const event: JobEvent = {
        id: part.id ?? crypto.randomUUID(),
        name: part.name ?? "",
        data: part.data ?? {},
        ts: part.ts ?? Date.now(),
      };
      if (this.events.some(({ id }) => id === event.id)) return event.id;
      this.events.push(event);
      this.#deliver(event);
      return event.id;
    });
  }

  #deliver(event: JobEvent): void {
    for (const jobFunction of this.#functions)
      if (jobFunction.events.includes(event.name)) this.#start(jobFunction, event);
  }

  #start(found: JobFunction & { url: string }, event: JobEvent): void {
    const key = found.debounce?.keyOf(event);
    const pending = key === undefined ? undefined : this.#debounced.get(key);
    if (pending) {
      pending.event = event;
      return;
    }
    const run: StoredRun = {
      id: crypto.randomUUID(),
      functionId: found.id,
      eventId: event.id,
      event,
      status: "running",
      output: null,
      error: null,
      steps: [],
      wake: () => {},
    };
    this.runs.push(run);
    if (key !== undefined) this.#debounced.set(key, run);
    const work = this.#debounce(found, run)
      .then(() => this.#waitForThrottle(found, run))
      .then(() => this.#execute(run, found))
      .finally(() => this.#pendingWork.delete(work));
    this.#pendingWork.add(work);
  }

  /** Waits for the events within a period after the first; they become one run. */
  async #debounce({ debounce }: JobFunction, run: StoredRun): Promise<void> {
    if (!debounce) return;
    const ends = Date.now() + debounce.wait;
    while (!this.#stopped && run.status === "running" && Date.now() < ends) await sleepUntil(run, new Date(ends));
    this.#debounced.delete(debounce.keyOf(run.event));
  }

  /** Waits until the function's throttle allows this run to start: evenly over the period, first come, first served. */
  async #waitForThrottle({ throttle }: JobFunction, run: StoredRun): Promise<void> {
    if (!throttle) return;
    const key = throttle.keyOf(run.event);
    const turn = Math.max(this.#nextStarts.get(key) ?? 0, Date.now());
    this.#nextStarts.set(key, turn + throttle.every);
    const begins = turn - throttle.burst * throttle.every;
    while (!this.#stopped && run.status === "running" && Date.now() < begins) await sleepUntil(run, new Date(begins));
  }

  /** Makes a call within the function's concurrency, which limits steps, not runs. */
  #withConcurrency<T>({ id, concurrency }: JobFunction, event: JobEvent, call: () => Promise<T>): Promise<T> {
    const limits = concurrency.map(({ limit, keyOf }) => ({ limit, key: keyOf(event) }));
    return (limits.length > 0 ? limits : [{ limit: Number.POSITIVE_INFINITY, key: id }]).reduce(
      (inner, { key, limit }) =>
        () =>
          this.#withConcurrencyKey(key, limit, inner),
      call,
    )();
  }

  async #withConcurrencyKey<T>(key: string, limit: number, call: () => Promise<T>): Promise<T> {
    const peak = this.peaks.get(key) ?? { current: 0, max: 0 };
    this.peaks.set(key, peak);
    const waiting = this.#queues.get(key) ?? [];
    this.#queues.set(key, waiting);
    while (peak.current >= limit) await new Promise<void>((resolve) => waiting.push(resolve));
    peak.current += 1;
    peak.max = Math.max(peak.max, peak.current);
    try {
      return await call();
    } finally {
      peak.current -= 1;
      waiting.shift()?.();
    }
  }

  async #execute(run: StoredRun, found: JobFunction & { url: string }): Promise<void> {
    const drivenRun: Run = {
      id: run.id,
      functionId: found.id,
      event: run.event,
      attempt: 0,
      maxAttempts: found.maxAttempts,
    };
    while (!this.#stopped && run.status === "running") {
      const result = await advanceRun(drivenRun, {
        call: (call) => this.#withConcurrency(found, run.event, () => callFunction(this.#post, found.url, call)),
        store: this.#stepStore(run),
        backoff: this.#options.backoff ?? (() => 1_000),
        stopping: () => this.#stopped || run.status !== "running",
      });
      if (result.kind === "done") Object.assign(run, { status: "done", output: result.output });
      if (result.kind === "failed") Object.assign(run, { status: "failed", error: result.error });
      if (result.kind === "waiting") {
        drivenRun.attempt = result.attempt;
        await sleepUntil(run, result.wakeAt);
      }
    }
  }

  #stepStore(run: StoredRun): StepStore {
    const save = async (step: Step) => {
      const known = run.steps.find(({ id }) => id === step.id);
      // Through JSON, as it would be in a store.
      const stored = { ...step, data: JSON.parse(JSON.stringify(step.data ?? null)) };
      if (!known) run.steps.push({ ...stored, order: isFinished(step) ? nextOrder(run) : Number.POSITIVE_INFINITY });
      else if (!isFinished(known)) Object.assign(known, stored, isFinished(step) ? { order: nextOrder(run) } : {});
    };
    return {
      steps: async () =>
        [...run.steps]
          .sort((a, b) => a.order - b.order)
          .map((step) => ({ ...step, due: step.wakeAt === null || step.wakeAt.getTime() <= Date.now() })),
      save,
    };
  }

  /** A signed call; a response that isn't signed with the same key, or isn't from an SDK, is ignored. */
  #post: Post = async (url, given) => {
    const { status, headers, text } = await this.#request("POST", url, this.#omitState(given));
    // "An SDK MUST send the following headers" with the result of a call.
    const missingHeader = ["x-inngest-sdk", "x-inngest-req-version"].find((name) => !headers.get(name));
    if (missingHeader) {
      this.refusals.push(`an answer without ${missingHeader}`);
      throw new Error(`the answer (${status}) has no ${missingHeader}`);
    }
    return { status, headers: Object.fromEntries(headers), body: text };
  };

  /** Omits the state of a large call, to be fetched from the API. */
  #omitState(body: string): string {
    if (body.length <= (this.#options.maxCallBytes ?? 4 * 1024 * 1024)) return body;
    const call = JSON.parse(body);
    this.#omittedStates.set(call.ctx.run_id, { events: call.events, steps: call.steps });
    return JSON.stringify({ ...call, events: [], steps: {}, ctx: { ...call.ctx, use_api: true } });
  }

  async #request(
    method: "GET" | "POST" | "PUT",
    url: string,
    body: string,
    headers: Record<string, string> = {},
  ): Promise<{ status: number; headers: Headers; text: string }> {
    const key = this.#signingKey;
    const response = await (this.#options.fetch ?? fetch)(url, {
      method,
      headers: {
        "content-type": "application/json",
        "x-inngest-server-kind": this.#kind,
        ...(key === null ? {} : { "x-inngest-signature": sign(body === "" ? "" : JSON.parse(body), key) }),
        ...headers,
      },
      ...(method === "GET" ? {} : { body }),
    });
    const text = await response.text();
    if (key !== null && response.status !== 401 && !isSigned(text, response.headers.get("x-inngest-signature"), key)) {
      this.refusals.push("an answer without a right signature");
      throw new Error(`the answer (${response.status}) is not signed`);
    }
    return { status: response.status, headers: response.headers, text };
  }
}

const timeText = z.string().regex(/^(\d+[wdhms])+$/);

const eventSchema = z.object({
  id: z.string().min(1).optional(),
  // Names with this prefix are reserved for Inngest.
  name: z
    .string()
    .min(1)
    .max(256)
    .refine((name) => !name.startsWith("inngest/"), "is a name of Inngest's own"),
  data: z.record(z.string(), z.unknown()).default({}),
  ts: z.int().positive().optional(),
});

const limit = z.object({
  limit: z.int().min(0),
  key: z.string().min(1).optional(),
  scope: z.enum(["fn", "env", "account"]).optional(),
});

/** The shape of a registration, from the specification's section 4.3.2. Unknown members are allowed. */
const registration = z.object({
  url: z.url(),
  deployType: z.literal("ping"),
  appName: z.string().min(1),
  sdk: z.string().regex(/^[^:]+:v\d+\.\d+\.\d+[^:]*$/),
  v: z.literal("0.1"),
  framework: z.string().optional(),
  functions: z
    .array(
      z.looseObject({
        id: z.string().min(1),
        name: z.string().optional(),
        triggers: z
          .array(
            z.union([
              z.object({ event: z.string().min(1), expression: z.string().optional() }),
              z.object({ cron: z.string().min(1) }),
            ]),
          )
          .min(1)
          .max(10),
        steps: z.strictObject({
          step: z.object({
            id: z.literal("step"),
            name: z.literal("step"),
            runtime: z.object({ type: z.literal("http"), url: z.url() }),
            retries: z.object({ attempts: z.int().min(0).max(20).optional() }).optional(),
          }),
        }),
        concurrency: z.union([z.int().min(0), limit, z.array(limit).max(2)]).optional(),
        debounce: z
          .object({ period: timeText, timeout: timeText.optional(), key: z.string().min(1).optional() })
          .optional(),
        throttle: z
          .object({
            limit: z.int().min(1),
            period: timeText,
            burst: z.int().min(0).optional(),
            key: z.string().min(1).optional(),
          })
          .optional(),
      }),
    )
    .min(1),
});

type Registration = z.infer<typeof registration>;

/** What is wrong with a registration beyond its shape. */
function registrationIssue({ url, appName, functions }: Registration): string | null {
  if (new URL(url).searchParams.has("deployId")) return "the url must not hold a deployId";
  const ids = functions.map(({ id }) => id);
  if (new Set(ids).size < ids.length) return "two functions have one id";
  for (const { id, steps } of functions) {
    if (!id.startsWith(`${appName}-`)) return `${id} is not composed of the app's id and its own`;
    const expected = new URL(url);
    expected.searchParams.set("fnId", id);
    expected.searchParams.set("stepId", "step");
    if (new URL(steps.step.runtime.url).href !== expected.href)
      return `${id} is to be called at ${steps.step.runtime.url}`;
  }
  return null;
}

const isFinished = ({ status }: Pick<Step, "status">): boolean => status === "done" || status === "failed";

const nextOrder = (run: StoredRun): number => run.steps.filter(isFinished).length;

/** Sleeps until the time, or until the run is woken. */
async function sleepUntil(run: StoredRun, until: Date): Promise<void> {
  const woken = new AbortController();
  run.wake = () => woken.abort();
  await sleep(Math.max(0, until.getTime() - Date.now()), undefined, { signal: woken.signal }).catch(() => {});
  run.wake = () => {};
}

const keyWithoutPrefix = (key: string): string => key.replace(/^signkey-\w+-/, "");

/** How the SDK proves that it knows the signing key: the hash of its bytes, with the prefix. */
const hashedKey = (key: string): string =>
  (/^signkey-\w+-/.exec(key)?.[0] ?? "") +
  createHash("sha256")
    .update(Buffer.from(keyWithoutPrefix(key), "hex"))
    .digest("hex");

/** JSON with sorted members and no spaces (RFC 8785). */
function canonical(value: unknown): string {
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${canonical(member)}`).join(",")}}`;
}

/** The signature of a body (canonical JSON, or text unchanged) at a time in seconds. */
export function sign(body: unknown, key: string, at = Math.round(Date.now() / 1_000)): string {
  const text = typeof body === "string" ? body : canonical(body);
  return `t=${at}&s=${createHmac("sha256", keyWithoutPrefix(key)).update(text).update(String(at)).digest("hex")}`;
}

function isSigned(body: string, header: string | null, key: string): boolean {
  const at = Number(new URLSearchParams(header ?? "").get("t"));
  if (!header || Math.abs(Date.now() / 1_000 - at) > 300) return false;
  const expected = sign(body, key, at);
  return expected.length === header.length && timingSafeEqual(Buffer.from(expected), Buffer.from(header));
}
