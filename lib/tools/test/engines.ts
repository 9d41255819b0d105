import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { Inngest, type InngestFunction } from "inngest";
import { createServer } from "inngest/node";
import { pool, transaction } from "@/lib/platform/db/pool";
import { deliverEvents } from "@/lib/platform/jobs/deliver-events";
import { Engine } from "@/lib/platform/jobs/engine";
import { type JobsApp, readJobs } from "@/lib/platform/jobs/functions";
import type { JobError, JobEvent } from "@/lib/platform/jobs/protocol";
import { openQueue } from "@/lib/platform/jobs/queue";
import { fetchWithinRun } from "@/lib/platform/jobs/send-within-run";
import { wakeSignal } from "@/lib/platform/jobs/wake";
import { InngestFake } from "@/lib/tools/test/inngest-fake";

/** Functions under test, created anew for each client. */
export type MakeFunctions = (client: Inngest) => InngestFunction.Any[];

export type EndedRun = { functionId: string; status: string; output: unknown; error: JobError | null };

/** A common interface of both engines: events in, ended runs out. */
export type TestEngine = {
  send: (...events: { name: string; data?: Record<string, unknown>; id?: string }[]) => Promise<void>;
  /** resolves with all runs once none is left, oldest first; throws after 15 seconds */
  waitForRuns: () => Promise<EndedRun[]>;
  stop: () => Promise<void>;
};

/** Short waits between attempts, so that tests see several. */
export const shortBackoff = (): number => 30;

/** A client for the embedded engine, with the functions created with it. */
export function testApp(make: MakeFunctions): JobsApp {
  const client = new Inngest({
    id: "test",
    isDev: true,
    fetch: fetchWithinRun,
    logger: silentLogger,
    checkpointing: false,
    aiMetadata: false,
  });
  return { client, functions: make(client) };
}

const silentLogger = { info() {}, warn() {}, error() {}, debug() {} };

/** Delivers events to the functions as the relay does, in one transaction. */
export async function sendEvents(app: JobsApp, events: Partial<JobEvent>[]): Promise<void> {
  const jobs = await readJobs(app);
  await openQueue();
  const complete = events.map(({ name = "", data = {}, id = crypto.randomUUID(), ts = Date.now() }) => ({
    event: { id, name, data, ts },
    originId: null,
    clockShift: null,
  }));
  await transaction((db) => deliverEvents(db, jobs, complete));
  wakeSignal("runs").wake();
}

/** The embedded engine in this process, on the test's database. */
export async function startEmbedded(make: MakeFunctions): Promise<TestEngine> {
  const app = testApp(make);
  const engine = await Engine.start(app, { backoff: shortBackoff });
  return {
    send: (...events) => sendEvents(app, events),
    waitForRuns: () =>
      waitUntil(async () => {
        const { rows } = await pool().query<EndedRun & { open: boolean }>(
          `select function_id as "functionId", status, output, error, ended_at is null as open
           from job_runs order by queued_at, id`,
        );
        return rows.some(({ open }) => open) ? null : rows.map(({ open: _, ...run }) => run);
      }),
    stop: () => engine.stop(),
  };
}

export const eventKey = "an-event-key-of-the-tests";
export const signingKey = `signkey-test-${"0123456789abcdef".repeat(4)}`;

/** A fake Inngest server over HTTP, with the functions served to it with keys, as in production. */
export async function startInngestFake(make: MakeFunctions): Promise<TestEngine & { fake: InngestFake }> {
  const fake = await InngestFake.start({ eventKey, signingKey, backoff: shortBackoff });
  const client = new Inngest({
    id: "test",
    isDev: false,
    eventKey,
    signingKey,
    baseUrl: fake.url,
    logger: silentLogger,
    checkpointing: false,
    aiMetadata: false,
  });
  const server = createServer({ client, functions: make(client) });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  await fake.sync(`http://127.0.0.1:${(server.address() as AddressInfo).port}/api/inngest`);
  return {
    fake,
    send: async (...events) => void (await client.send(events.map((event) => ({ data: {}, ...event })))),
    waitForRuns: () =>
      waitUntil(async () =>
        fake.runs.some(({ status }) => status === "running")
          ? null
          : fake.runs.map(({ functionId, status, output, error }) => ({ functionId, status, output, error })),
      ),
    stop: async () => {
      await fake.stop();
      server.close();
      server.closeAllConnections();
    },
  };
}

/** Polls until the result is neither null nor false; throws after `milliseconds`. */
export async function waitUntil<T>(poll: () => Promise<T | null | false>, milliseconds = 15_000): Promise<T> {
  for (const end = Date.now() + milliseconds; ; ) {
    const answer = await poll();
    if (answer !== null && answer !== false) return answer;
    if (Date.now() > end) throw new Error("Timed out waiting.");
    await sleep(25);
  }
}
