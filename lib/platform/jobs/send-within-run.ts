import { createHash } from "node:crypto";
import { runContext } from "@/lib/platform/jobs/context";
import type { JobEvent } from "@/lib/platform/jobs/protocol";

/** Timeout for Inngest's response. Events not accepted are sent again with the same ids. */
const TIMEOUT_MS = 10_000;

/**
 * The `fetch` of the Inngest client. Delivers events from a run of the embedded engine to that engine, without the
 * network; sends other requests unchanged. A run's events get the same ids when a step is repeated.
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

/**
 * Without a timeout, a server that accepts the connection and doesn't respond would block the registration and the
 * relay.
 */
function fetchWithTimeout(input: string | URL | Request, init?: RequestInit): Promise<Response> {
  const late = AbortSignal.timeout(TIMEOUT_MS);
  return fetch(input, { ...init, signal: init?.signal ? AbortSignal.any([init.signal, late]) : late });
}

/** An id that is the same when the step is repeated, so that events sent before a crash aren't delivered twice. */
function eventId({ name, data }: Omit<JobEvent, "id">, context: { runId: string; step: string; sent: number }): string {
  const digest = createHash("sha256")
    .update(JSON.stringify([name, data]))
    .digest("base64url")
    .slice(0, 16);
  context.sent += 1;
  return `${context.runId}.${context.step}.${context.sent}.${digest}`;
}
