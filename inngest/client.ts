import { type EventType, eventType, Inngest } from "inngest";
import { z } from "zod";
import { RecordOutcome } from "@/inngest/record-outcome";
import { readSettings } from "@/lib/platform/env";
import { type EventName, events } from "@/lib/platform/jobs/outbox/events";
import { fetchWithinRun } from "@/lib/platform/jobs/send-within-run";
import { log } from "@/lib/platform/log";

// Also read while pages are built, when there is no database: so only settings that need none.
const settings = () => readSettings(process.env);

/** Whether Inngest may call the functions: its keys or its development server are set. */
export function isInngestConfigured(): boolean {
  const { INNGEST_EVENT_KEY, INNGEST_DEV } = settings();
  return Boolean(INNGEST_EVENT_KEY || INNGEST_DEV);
}

/** Whether new work goes to Inngest instead of the embedded engine. */
export const usesInngest = (): boolean => isInngestConfigured() && settings().JOB_ENGINE !== "embedded";

/**
 * Where Inngest calls the functions. Always from the settings: a request's Host header can be forged, and Inngest would
 * send the work there.
 */
export function serveOptions(): { serveOrigin: string; servePath: string } {
  const { INNGEST_SERVE_ORIGIN, PUBLIC_URL } = settings();
  return { serveOrigin: INNGEST_SERVE_ORIGIN ?? PUBLIC_URL, servePath: "/api/inngest" };
}

/** The client that all functions use. On the embedded engine it needs no keys and no network. */
export const inngest = new Inngest({
  id: "candor",
  ...(isInngestConfigured() ? {} : { isDev: true }),
  fetch: fetchWithinRun,
  logger: log,
  middleware: [RecordOutcome],
  // Each step's result is stored before the next starts, on both engines.
  checkpointing: false,
  aiMetadata: false,
});

/** The trigger for an outbox event; its data is validated with the event's schema. */
export const onEvent = <Name extends EventName>(name: Name): EventType<Name, (typeof events)[Name]> =>
  eventType(name, { schema: events[name] as never });

const scheduleData = z.object({ client_ids: z.array(z.string()).optional() });

/** The triggers of a scheduled function: its cron expression, and an event with which an operator runs it manually. */
export const scheduleTriggers = (name: string, pattern: string) =>
  [{ cron: pattern }, eventType(`schedule/${name}`, { schema: scheduleData })] as const;

/** The clients that an operator requested, or null for all. Cron events name none. */
export const requestedClientIds = (event: { data: unknown }): string[] | null =>
  scheduleData.safeParse(event.data).data?.client_ids ?? null;
