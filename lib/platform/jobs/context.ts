import { AsyncLocalStorage } from "node:async_hooks";
import { now } from "@/lib/platform/clock";
import type { JobEvent } from "@/lib/platform/jobs/protocol";

/** The current run, for code that it calls (sending an event, writing an outbox event). */
export type RunContext = {
  runId: string;
  /** the run of the admin command that caused this run */
  originId: string | null;
  /** id of the current step, the same in every retry; part of event ids */
  step: string;
  /** number of events sent by this call */
  sent: number;
  /** delivers this run's events; null: they are sent to Inngest over the network */
  send: ((events: JobEvent[]) => Promise<void>) | null;
};

const running = new AsyncLocalStorage<RunContext>();

/** The current run. Undefined outside a run. */
export const runContext = (): RunContext | undefined => running.getStore();

/** Calls `work` within a run. */
export const withinRun = <T>(context: RunContext, work: () => T): T => running.run(context, work);

/** Offset of the caller's clock from the real time in milliseconds. Null if there is none. */
export function clockShift(): number | null {
  const shift = now().getTime() - Date.now();
  return Math.abs(shift) > 1_000 ? shift : null;
}
