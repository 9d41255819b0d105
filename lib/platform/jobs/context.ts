import { AsyncLocalStorage } from "node:async_hooks";
import { now } from "@/lib/platform/clock";
import type { JobEvent } from "@/lib/platform/jobs/protocol";

/** The run whose function is being called, as the code inside it (an event sent, a fact written) needs to know it. */
export type RunContext = {
  runId: string;
  /** the run of an operator's command that this one follows from */
  originId: string | null;
  /** names the step being run, the same at every repetition: event ids are made of it */
  step: string;
  /** events sent by this call so far */
  sent: number;
  /** delivers events that follow from this run; null: they go where the client's settings say, over the network */
  send: ((events: JobEvent[]) => Promise<void>) | null;
};

const running = new AsyncLocalStorage<RunContext>();

/** The run that the calling code is part of, or undefined outside of any. */
export const runContext = (): RunContext | undefined => running.getStore();

/** Calls `work` as part of a run. */
export const withinRun = <T>(context: RunContext, work: () => T): T => running.run(context, work);

/** How far the caller's clock is from the real one in milliseconds, or null where it is the real one. */
export function clockShift(): number | null {
  const shift = now().getTime() - Date.now();
  return Math.abs(shift) > 1_000 ? shift : null;
}
