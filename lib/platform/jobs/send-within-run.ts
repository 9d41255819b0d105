import { createHash } from "node:crypto";
import { runContext } from "@/lib/platform/jobs/context";
import type { JobEvent } from "@/lib/platform/jobs/protocol";

/** So long Inngest may take to answer. What it did not take is sent again, under the same ids. */
const TIMEOUT_MS = 10_000;

/**
 * The `fetch` of the Inngest client. Events sent from inside a run of the embedded engine go to that engine, without a
 * network; anything else goes where it is addressed. Either way the ids of a run's events are the same when it repeats
 * the step.
 */
export async function fetchWithinRun(input: string | URL | Request, init?: RequestInit): Promise<Response> {
  const context = runContext();
  const url = new URL(input instanceof Request ? input.url : input);
  if (!context || !url.pathname.startsWith("/e/")) return fetchWithTimeout(input, init);
  const given = JSON.parse(String(init?.body)) as (Omit<JobEvent, "id"> & { id?: string })[];
  const events = given.map((event) => ({ ...event, id: event.id ?? eventId(event, context) }));
  if (!context.send) return fetchWithTimeout(input, { ...init, body: JSON.stringify(events) });
  await context.send(events);
  return Response.json({ ids: events.map(({ id }) => id), status: 200 });
}

/** Without a bound, a server that takes the connection and says nothing would hold up the registration, and the facts. */
function fetchWithTimeout(input: string | URL | Request, init?: RequestInit): Promise<Response> {
  const late = AbortSignal.timeout(TIMEOUT_MS);
  return fetch(input, { ...init, signal: init?.signal ? AbortSignal.any([init.signal, late]) : late });
}

/** The same for the same event at a repetition of the same step: what was sent before a crash is not sent again. */
function eventId({ name, data }: Omit<JobEvent, "id">, context: { runId: string; step: string; sent: number }): string {
  const digest = createHash("sha256")
    .update(JSON.stringify([name, data]))
    .digest("base64url")
    .slice(0, 16);
  context.sent += 1;
  return `${context.runId}.${context.step}.${context.sent}.${digest}`;
}
