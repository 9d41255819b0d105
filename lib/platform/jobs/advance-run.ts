import {
  type CallResult,
  durationOf,
  type FunctionCall,
  type JobError,
  type JobEvent,
  type StepOp,
} from "@/lib/platform/jobs/protocol";

/** A step of a run. `done` and `failed` are final: the function gets their result instead of running them again. */
export type Step = {
  id: string;
  name: string;
  op: string;
  /** `planned`: its last attempt failed and will be retried; `waiting`: a sleep */
  status: "planned" | "waiting" | "done" | "failed";
  /** number of failed attempts */
  attempt: number;
  data: unknown;
  /** error of the step, or of its last attempt */
  error: JobError | null;
  /** when a sleep ends or a retry is due */
  wakeAt: Date | null;
};

/** Storage of a run's steps. Each method throws {@link RunTakenOverError} if another engine holds the run. */
export type StepStore = {
  /** all steps, finished ones first in the order they finished; `due` by the store's clock */
  steps: () => Promise<(Step & { due: boolean })[]>;
  /** saves a new or changed step; a finished step is never changed */
  save: (step: Step) => Promise<void>;
};

/** Another engine took over the run or ended it: results of this engine are discarded. */
export class RunTakenOverError extends Error {
  override name = "RunTakenOverError";
}

export type Run = { id: string; functionId: string; event: JobEvent; attempt: number; maxAttempts: number };

export type AdvanceOptions = {
  call: (call: FunctionCall) => Promise<CallResult>;
  store: StepStore;
  /** milliseconds to wait after failed attempt number `attempt` (0 = the first) */
  backoff: (attempt: number) => number;
  /** true once the process stops: the run is then requeued between two steps */
  stopping: () => boolean;
};

export type RunOutcome =
  | { kind: "done"; output: unknown }
  | { kind: "failed"; error: JobError }
  /** `error`: of the last attempt, if the function itself will be retried */
  | { kind: "waiting"; wakeAt: Date; attempt: number; error: JobError | null }
  | { kind: "paused"; attempt: number };

/**
 * Runs a function step by step and saves each result, until it ends, sleeps or is to be retried later. Finished steps
 * aren't repeated, whichever engine continues the run.
 */
export async function advanceRun(run: Run, { call, store, backoff, stopping }: AdvanceOptions): Promise<RunOutcome> {
  let attempt = run.attempt;
  for (;;) {
    if (stopping()) return { kind: "paused", attempt };
    const steps = await store.steps();
    const finished = steps.filter(isFinished);
    // Steps are sequential, so at most one is open.
    const open = steps.find((step) => !isFinished(step));
    if (open?.wakeAt && !open.due) return { kind: "waiting", wakeAt: open.wakeAt, attempt, error: null };
    if (open?.status === "waiting") {
      await store.save({ ...open, status: "done" });
      continue;
    }
    const stepAttempt = open?.attempt ?? attempt;
    const answer = await call({
      functionId: run.functionId,
      runId: run.id,
      event: run.event,
      attempt: stepAttempt,
      maxAttempts: run.maxAttempts,
      finished: finished.map(({ id, data, error, status }) => ({
        id,
        data,
        error: status === "failed" ? error : null,
      })),
    });
    const isLast = stepAttempt + 1 >= run.maxAttempts;
    if (answer.kind === "finished") return { kind: "done", output: answer.output };
    if (answer.kind === "error") {
      if (answer.final || isLast) return { kind: "failed", error: answer.error };
      return {
        kind: "waiting",
        wakeAt: answer.retryAfter ?? later(backoff(stepAttempt)),
        attempt: stepAttempt + 1,
        error: answer.error,
      };
    }
    const step = stepOf(answer.steps, stepAttempt, isLast);
    if ("unsupported" in step)
      return { kind: "failed", error: { name: "UnsupportedStepError", message: step.unsupported } };
    if (step.status === "planned") step.wakeAt = answer.retryAfter ?? later(backoff(stepAttempt));
    await store.save(step);
    attempt = 0;
  }
}

const isFinished = ({ status }: Pick<Step, "status">): boolean => status === "done" || status === "failed";

const later = (milliseconds: number): Date => new Date(Date.now() + milliseconds);

/** The step that a call reports, or why the engine can't continue. */
function stepOf(ops: StepOp[], attempt: number, isLast: boolean): Step | { unsupported: string } {
  const [op] = ops;
  if (op === undefined) return { unsupported: "The function returned no result, step or error." };
  const step: Step = {
    id: op.id,
    name: op.displayName ?? op.name ?? op.id,
    op: op.op,
    status: "failed",
    attempt,
    data: null,
    error: op.error ?? { name: "Error", message: "The step failed without an error message." },
    wakeAt: null,
  };
  if (ops.length === 1) {
    if (op.op === "StepRun") return { ...step, status: "done", data: op.data ?? null, error: null };
    if (op.op === "StepFailed" || (op.op === "StepError" && isLast)) return step;
    if (op.op === "StepError") return { ...step, status: "planned", attempt: attempt + 1 };
    const sleep = op.op === "Sleep" ? durationOf(op.name ?? "") : null;
    if (sleep !== null) return { ...step, status: "waiting", error: null, wakeAt: later(sleep) };
  }
  const what = ops.length > 1 ? "steps side by side" : op.op === "Sleep" ? "sleepUntil" : `steps of the kind ${op.op}`;
  return { unsupported: `The embedded engine does not support ${what} ("${step.name}").` };
}
