import {
  type CallResult,
  durationOf,
  type FunctionCall,
  type JobError,
  type JobEvent,
  type StepOp,
} from "@/lib/platform/jobs/protocol";

/** A step of a run. `done` and `failed` are final and are handed back to the function instead of running it again. */
export type Step = {
  id: string;
  name: string;
  op: string;
  /** `planned`: its last attempt failed and it is to be repeated; `waiting`: a sleep */
  status: "planned" | "waiting" | "done" | "failed";
  /** attempts that failed so far */
  attempt: number;
  data: unknown;
  /** why it failed, or its last attempt did */
  error: JobError | null;
  /** when a sleep ends or a repetition is due */
  wakeAt: Date | null;
};

/** Where a run's steps are kept. Each method throws {@link RunTakenOverError} when the run is no longer this driver's. */
export type StepStore = {
  /** all steps: finished ones first, in the order they finished; `due` by the clock of the store */
  steps: () => Promise<(Step & { due: boolean })[]>;
  /** keeps a step, new or changed; a finished one is never changed again */
  save: (step: Step) => Promise<void>;
};

/** The run was taken over or ended by someone else: whatever comes of it here counts for nothing. */
export class RunTakenOverError extends Error {
  override name = "LostRun";
}

export type Run = { id: string; functionId: string; event: JobEvent; attempt: number; maxAttempts: number };

export type AdvanceOptions = {
  call: (call: FunctionCall) => Promise<CallResult>;
  store: StepStore;
  /** milliseconds to wait after failed attempt number n */
  backoff: (attempt: number) => number;
  /** true once the process is to end: the run is put back between two steps */
  stopping: () => boolean;
};

export type RunOutcome =
  | { kind: "done"; output: unknown }
  | { kind: "failed"; error: JobError }
  /** `error`: of the last attempt, where the function itself is to be repeated */
  | { kind: "waiting"; wakeAt: Date; attempt: number; error: JobError | null }
  | { kind: "paused"; attempt: number };

/**
 * Drives one run as far as it goes now: calls the function again and again, keeps what each step gave, until the function
 * ends or it sleeps or is to be repeated later. Nothing finished is run again, whoever drives the run next.
 */
export async function advanceRun(run: Run, { call, store, backoff, stopping }: AdvanceOptions): Promise<RunOutcome> {
  let attempt = run.attempt;
  for (;;) {
    if (stopping()) return { kind: "paused", attempt };
    const steps = await store.steps();
    const finished = steps.filter(isFinished);
    // Steps follow one another, so at most one is open.
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

/** What came of the one step that a call reports, or why the engine cannot go on with it. */
function stepOf(ops: StepOp[], attempt: number, isLast: boolean): Step | { unsupported: string } {
  const [op] = ops;
  if (op === undefined) return { unsupported: "The function ended its call without an end, a step or an error." };
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
