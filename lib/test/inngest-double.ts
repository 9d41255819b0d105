import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import { once } from "node:events";
import http from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { drive, type Run, type Step, type StepStore } from "@/lib/jobs/drive";
import { parseExpression } from "@/lib/jobs/expression";
import { type JobFunction, readFunction } from "@/lib/jobs/functions";
import { callFunction, type FunctionConfig, type JobError, type JobEvent, type Post } from "@/lib/jobs/protocol";

// A local double of an Inngest server, over real HTTP: the event API, the registration of functions, signatures checked
// both ways, and functions driven by the published protocol. It keeps everything in memory and forgets it at the end.
// How one run is driven it shares with the embedded engine; all around it (transport, keys, registration, events and
// their repetitions) is its own.

export type DoubleRun = {
  id: string;
  functionId: string;
  eventId: string;
  status: "running" | "done" | "failed" | "cancelled";
  output: unknown;
  error: JobError | null;
};

type Options = {
  eventKey: string;
  signingKey: string;
  backoff?: (attempt: number) => number;
  /** the service's own fetch; tests put faults in its way */
  fetch?: typeof fetch;
};

type Memory = DoubleRun & {
  event: JobEvent;
  steps: (Step & { order: number })[];
  wake: () => void;
  parent: { run: Memory; stepId: string } | null;
};

export class InngestDouble {
  readonly runs: Memory[] = [];
  /** every event taken in, repetitions left out */
  readonly events: JobEvent[] = [];
  /** what was refused and why: a wrong key, a wrong signature */
  readonly refusals: string[] = [];
  readonly #options: Options;
  readonly #server = http.createServer((request, response) => void this.#serve(request, response));
  #functions: (JobFunction & { url: string })[] = [];
  #stopped = false;
  #work = new Set<Promise<void>>();

  private constructor(options: Options) {
    this.#options = options;
  }

  static async start(options: Options): Promise<InngestDouble> {
    const double = new InngestDouble(options);
    double.#server.listen(0, "127.0.0.1");
    await once(double.#server, "listening");
    return double;
  }

  /** Its address, for INNGEST_BASE_URL or a client's `baseUrl`. */
  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Asks the service to register its functions, as a deployment does. Throws with the answer when it is refused. */
  async sync(serveUrl: string): Promise<void> {
    const answer = await fetch(serveUrl, {
      method: "PUT",
      headers: { "content-type": "application/json" },
      body: "{}",
    });
    if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`);
  }

  /** Ends it: runs under way are dropped. */
  async stop(): Promise<void> {
    this.#stopped = true;
    for (const run of this.runs) run.wake();
    await Promise.allSettled(this.#work);
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

  #answer(request: http.IncomingMessage, path: string, body: string): { status: number; body: unknown } {
    if (request.method === "POST" && path.startsWith("/e/")) {
      if (path.slice(3) !== this.#options.eventKey) return this.#refuse("a wrong event key");
      const given = JSON.parse(body) as Partial<JobEvent> | Partial<JobEvent>[];
      return { status: 200, body: { ids: this.#take(Array.isArray(given) ? given : [given]), status: 200 } };
    }
    if (request.method === "POST" && path === "/fn/register") {
      if (request.headers.authorization !== `Bearer ${hashedKey(this.#options.signingKey)}`)
        return this.#refuse("a registration with a wrong signing key");
      const { functions } = JSON.parse(body) as { functions: FunctionConfig[] };
      this.#functions = functions.map((config) => {
        const url = Object.values(config.steps)[0]?.runtime?.url ?? "";
        return { ...readFunction(config), url };
      });
      return { status: 200, body: { ok: true, modified: true, status: 200 } };
    }
    return { status: 404, body: { error: "There is nothing here.", status: 404 } };
  }

  #refuse(what: string): { status: number; body: unknown } {
    this.refusals.push(what);
    return { status: 401, body: { error: "Unauthorized", status: 401 } };
  }

  /** Takes events in; an id that is known is the same event again. */
  #take(given: Partial<JobEvent>[]): string[] {
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
    for (const run of this.runs.filter(({ status }) => status === "running")) {
      const found = this.#functions.find(({ id }) => id === run.functionId);
      if (found?.cancel.some((cancel) => cancel.event === event.name && cancel.matches(run.event, event))) {
        run.status = "cancelled";
        run.wake();
      }
      const waits = run.steps.filter(
        (step) =>
          step.status === "waiting" &&
          step.waitFor === event.name &&
          (step.waitIf === null || Boolean(parseExpression(step.waitIf)({ event: run.event, async: event }))),
      );
      for (const step of waits) finish(run, step.id, { status: "done", data: event, error: null });
    }
    for (const found of this.#functions) {
      if (found.triggers.some((trigger) => trigger.event === event.name && trigger.matches(event)))
        this.#start(found, event, null);
    }
  }

  #start(found: JobFunction & { url: string }, event: JobEvent, parent: Memory["parent"]): void {
    const run: Memory = {
      id: crypto.randomUUID(),
      functionId: found.id,
      eventId: event.id,
      event,
      status: "running",
      output: null,
      error: null,
      steps: [],
      wake: () => {},
      parent,
    };
    this.runs.push(run);
    const work = this.#execute(run, found).finally(() => this.#work.delete(work));
    this.#work.add(work);
  }

  async #execute(run: Memory, found: JobFunction & { url: string }): Promise<void> {
    const driven: Run = {
      id: run.id,
      functionId: found.id,
      event: run.event,
      attempt: 0,
      maxAttempts: found.maxAttempts,
    };
    while (!this.#stopped && run.status === "running") {
      const verdict = await drive(driven, {
        call: (call) => callFunction(this.#post, found.url, call),
        store: this.#storeOf(run),
        backoff: this.#options.backoff ?? (() => 1_000),
        clockShift: 0,
        stopping: () => this.#stopped || run.status !== "running",
      });
      if (verdict.kind === "done") Object.assign(run, { status: "done", output: verdict.output });
      if (verdict.kind === "failed") this.#fail(run, verdict.error);
      if (verdict.kind === "waiting") {
        driven.attempt = verdict.attempt;
        if (run.steps.filter(isFinished).length === verdict.finished) await rest(run, verdict.wakeAt);
      }
    }
    const { parent, status, output, error } = run;
    if (parent)
      finish(parent.run, parent.stepId, { status: status === "done" ? "done" : "failed", data: output, error });
  }

  #fail(run: Memory, error: JobError): void {
    Object.assign(run, { status: "failed", error });
    const data = { function_id: run.functionId, run_id: run.id, error: { stack: "", ...error }, event: run.event };
    this.#take([{ name: "inngest/function.failed", data }]);
  }

  #storeOf(run: Memory): StepStore {
    const save = async (step: Step) => {
      const known = run.steps.find(({ id }) => id === step.id);
      // Through JSON, as it would be in a store.
      const kept = { ...step, data: JSON.parse(JSON.stringify(step.data ?? null)) };
      if (!known) run.steps.push({ ...kept, order: isFinished(step) ? nextOrder(run) : Number.POSITIVE_INFINITY });
      else if (!isFinished(known)) Object.assign(known, kept, isFinished(step) ? { order: nextOrder(run) } : {});
    };
    return {
      steps: async () =>
        [...run.steps]
          .sort((a, b) => a.order - b.order)
          .map((step) => ({
            ...step,
            due: step.wakeAt ? step.wakeAt.getTime() <= Date.now() : step.status === "planned",
          })),
      save,
      invoke: async (step, functionId, data) => {
        await save(step);
        const found = this.#functions.find(({ id }) => id === functionId);
        const event = { id: crypto.randomUUID(), name: "inngest/function.invoked", data, ts: Date.now() };
        if (found) this.#start(found, event, { run, stepId: step.id });
        else await save({ ...step, status: "failed", error: { message: `There is no function ${functionId}.` } });
      },
    };
  }

  /** A signed call; an answer that is not signed with the same key counts for nothing. */
  #post: Post = async (url, body) => {
    const key = this.#options.signingKey;
    const response = await (this.#options.fetch ?? fetch)(url, {
      method: "POST",
      headers: { "content-type": "application/json", "x-inngest-signature": sign(JSON.parse(body), key) },
      body,
    });
    const text = await response.text();
    if (!isSigned(text, response.headers.get("x-inngest-signature"), key)) {
      this.refusals.push("an answer without a right signature");
      throw new Error(`the answer (${response.status}) is not signed`);
    }
    return { status: response.status, headers: Object.fromEntries(response.headers), body: text };
  };
}

const isFinished = ({ status }: Pick<Step, "status">): boolean => status === "done" || status === "failed";

const nextOrder = (run: Memory): number => run.steps.filter(isFinished).length;

function finish(run: Memory, stepId: string, end: Pick<Step, "status" | "data" | "error">): void {
  const step = run.steps.find(({ id, status }) => id === stepId && status === "waiting");
  if (!step) return;
  Object.assign(step, end, { order: nextOrder(run) });
  run.wake();
}

/** Until the moment, or until something woke the run. */
async function rest(run: Memory, until: Date | null): Promise<void> {
  const woken = new AbortController();
  run.wake = () => woken.abort();
  const milliseconds = until ? Math.max(0, until.getTime() - Date.now()) : 2 ** 31 - 1;
  await sleep(milliseconds, undefined, { signal: woken.signal }).catch(() => {});
  run.wake = () => {};
}

const bareKey = (key: string): string => key.replace(/^signkey-\w+-/, "");

/** How the SDK shows that it knows the signing key without telling it: the hash of its bytes, prefix kept. */
const hashedKey = (key: string): string =>
  (/^signkey-\w+-/.exec(key)?.[0] ?? "") +
  createHash("sha256")
    .update(Buffer.from(bareKey(key), "hex"))
    .digest("hex");

/** JSON with sorted members and no spaces (RFC 8785). */
function canonical(value: unknown): string {
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${canonical(member)}`).join(",")}}`;
}

/** The signature of a body (canonical JSON, or text as it is) at a moment in seconds. */
export function sign(body: unknown, key: string, at = Math.round(Date.now() / 1_000)): string {
  const text = typeof body === "string" ? body : canonical(body);
  return `t=${at}&s=${createHmac("sha256", bareKey(key)).update(text).update(String(at)).digest("hex")}`;
}

function isSigned(body: string, header: string | null, key: string): boolean {
  const at = Number(new URLSearchParams(header ?? "").get("t"));
  if (!header || Math.abs(Date.now() / 1_000 - at) > 300) return false;
  const expected = sign(body, key, at);
  return expected.length === header.length && timingSafeEqual(Buffer.from(expected), Buffer.from(header));
}
