import {
  type Answer,
  type Call,
  type JobError,
  type JobEvent,
  type StepOp,
  wakeMoment,
} from "@/lib/platform/jobs/protocol";

/** A step of a run. `done` and `failed` are final and are handed back to the function instead of running it again. */
export type Step = {
  id: string;
  name: string;
  op: string;
  status: "planned" | "waiting" | "done" | "failed";
  /** attempts that failed so far */
  attempt: number;
  data: unknown;
  /** why it failed, or its last attempt did */
  error: JobError | null;
  /** when a wait ends or a repetition is due; null = only by what it waits for, or at once if planned */
  wakeAt: Date | null;
  /** the event waited for and the condition on it */
  waitFor: string | null;
  waitIf: string | null;
};

/** Where a run's steps are kept. Each method throws {@link LostRun} when the run is no longer this driver's. */
export type StepStore = {
  /** all steps: finished ones first, in the order they finished; `due` by the clock of the store */
  steps: () => Promise<(Step & { due: boolean })[]>;
  /** keeps a step, new or changed; a finished one is never changed again */
  save: (step: Step) => Promise<void>;
  /** starts another function whose result becomes the step's */
  invoke: (step: Step, functionId: string, data: Record<string, unknown>) => Promise<void>;
};

/** The run was taken over, cancelled or ended by someone else: whatever comes of it here counts for nothing. */
export class LostRun extends Error {
  override name = "LostRun";
}

export type Run = { id: string; functionId: string; event: JobEvent; attempt: number; maxAttempts: number };

export type Driving = {
  call: (call: Call) => Promise<Answer>;
  store: StepStore;
  /** milliseconds to wait after failed attempt number n */
  backoff: (attempt: number) => number;
  /** how far the function's clock is from the real one: dates it names are of its own time */
  clockShift: number;
  /** true once the process is to end: the run is put back between two steps */
  stopping: () => boolean;
};

/** How far a run came. `finished` counts the finished steps that were known when it began to wait. */
export type Verdict =
  | { kind: "done"; output: unknown }
  | { kind: "failed"; error: JobError }
  /** `error`: of the last attempt, where the function itself is to be repeated */
  | { kind: "waiting"; wakeAt: Date | null; finished: number; attempt: number; error: JobError | null }
  | { kind: "paused"; attempt: number };

/** Planned steps of one run that are run at the same time. */
const parallelSteps = 8;

/**
 * Drives one run as far as it goes now: calls the function, keeps what each step gave, runs planned steps side by
 * side, until the function ends or every open step waits for time, an event or another run. Nothing finished is run
 * again, whoever drives the run next.
 */
export async function drive(run: Run, driving: Driving): Promise<Verdict> {
  const { store, stopping } = driving;
  let attempt = run.attempt;
  let discovered = -1;
  for (;;) {
    if (stopping()) return { kind: "paused", attempt };
    const steps = await store.steps();
    const finished = steps.filter(isFinished);
    const open = steps.filter((step) => !isFinished(step));

    const over = open.filter(({ status, due }) => status === "waiting" && due);
    for (const step of over) await store.save(endOfWait(step));
    if (over.length > 0) continue;

    const due = open.filter((step) => step.status === "planned" && step.due);
    if (due.length > 0) {
      await sideBySide(due, (step) => runStep(run, step, finished, driving));
      attempt = 0;
      continue;
    }

    if (discovered === finished.length) return waiting(open, finished.length, attempt);
    const answer = await driving.call({
      ...callOf(run, finished),
      stepId: null,
      attempt,
      planned: open.some(({ status }) => status === "planned"),
    });
    discovered = finished.length;
    if (answer.kind === "finished") return { kind: "done", output: answer.output };
    if (answer.kind === "error") {
      if (answer.final || attempt + 1 >= run.maxAttempts) return { kind: "failed", error: answer.error };
      const wakeAt = answer.retryAfter ?? later(driving.backoff(attempt));
      return { kind: "waiting", wakeAt, finished: finished.length, attempt: attempt + 1, error: answer.error };
    }
    const known = new Set(steps.map(({ id }) => id));
    for (const op of answer.steps) {
      if (!known.has(op.id)) await keep(op, answer.retryAfter, attempt, driving);
    }
    attempt = 0;
  }
}

const isFinished = ({ status }: Pick<Step, "status">): boolean => status === "done" || status === "failed";

const later = (milliseconds: number): Date => new Date(Date.now() + milliseconds);

const callOf = (run: Run, finished: Step[]) => ({
  functionId: run.functionId,
  runId: run.id,
  event: run.event,
  maxAttempts: run.maxAttempts,
  finished: finished.map(({ id, data, error, status }) => ({ id, data, error: status === "failed" ? error : null })),
});

/** The run waits until the first open step is due. One with nothing open would wait for ever. */
function waiting(open: Step[], finished: number, attempt: number): Verdict {
  if (open.length === 0) {
    const message = "The function ended its call without an end, a step or an error.";
    return { kind: "failed", error: { name: "ProtocolError", message } };
  }
  const moments = open.flatMap(({ wakeAt }) => (wakeAt ? [wakeAt.getTime()] : []));
  return {
    kind: "waiting",
    wakeAt: moments.length > 0 ? new Date(Math.min(...moments)) : null,
    finished,
    attempt,
    error: null,
  };
}

/** A sleep is over, an event did not come (null), an invoked function took too long. */
function endOfWait(step: Step): Step {
  if (step.op !== "InvokeFunction") return { ...step, status: "done", data: null };
  const error = { name: "InvokeTimeoutError", message: "The invoked function did not end in time." };
  return { ...step, status: "failed", error };
}

async function runStep(run: Run, step: Step, finished: Step[], driving: Driving): Promise<void> {
  const answer = await driving.call({
    ...callOf(run, finished),
    stepId: step.id,
    attempt: step.attempt,
    planned: true,
  });
  const result = answer.kind === "steps" ? answer.steps.find(({ id }) => id === step.id) : undefined;
  if (result?.op === "StepRun")
    return driving.store.save({ ...step, status: "done", data: result.data ?? null, error: null });
  const failure =
    answer.kind === "error"
      ? answer
      : {
          error: result?.error ?? { name: "ProtocolError", message: "The planned step was not run." },
          final: result?.op === "StepFailed",
          retryAfter: answer.kind === "steps" ? answer.retryAfter : null,
        };
  if (failure.final || step.attempt + 1 >= run.maxAttempts)
    return driving.store.save({ ...step, status: "failed", error: failure.error });
  await driving.store.save(repeatLater({ ...step, error: failure.error }, failure.retryAfter, driving));
}

const repeatLater = (step: Step, retryAfter: Date | null, { backoff }: Driving): Step => ({
  ...step,
  status: "planned",
  attempt: step.attempt + 1,
  wakeAt: retryAfter ?? later(backoff(step.attempt)),
});

/** Keeps what a call found: a step it ran on its own account, one to run, or something to wait for. */
async function keep(op: StepOp, retryAfter: Date | null, attempt: number, driving: Driving): Promise<void> {
  const { store, clockShift } = driving;
  const step: Step = {
    id: op.id,
    name: op.displayName ?? op.name ?? op.id,
    op: op.op,
    status: "waiting",
    attempt,
    data: null,
    error: null,
    wakeAt: null,
    waitFor: null,
    waitIf: null,
  };
  const until = (text: unknown): Date | null => {
    if (typeof text !== "string") return null;
    const isLength = !/\d{4}-/.test(text);
    return new Date(wakeMoment(text, new Date()).getTime() - (isLength ? 0 : clockShift));
  };
  switch (op.op) {
    case "StepRun":
      return store.save({ ...step, op: "StepPlanned", status: "done", data: op.data ?? null });
    case "StepFailed":
      return store.save({ ...step, op: "StepPlanned", status: "failed", error: op.error ?? unknownError });
    case "StepError":
      return store.save(
        repeatLater({ ...step, op: "StepPlanned", error: op.error ?? unknownError }, retryAfter, driving),
      );
    case "StepPlanned":
      return store.save({ ...step, status: "planned", attempt: 0 });
    case "Sleep":
      return store.save({ ...step, wakeAt: until(op.name) ?? new Date() });
    case "WaitForEvent":
      return store.save({
        ...step,
        waitFor: op.name ?? "",
        waitIf: typeof op.opts?.if === "string" ? op.opts.if : null,
        wakeAt: until(op.opts?.timeout),
      });
    case "InvokeFunction": {
      const payload = (op.opts?.payload ?? {}) as { data?: Record<string, unknown> };
      const waits = { ...step, wakeAt: until(op.opts?.timeout) };
      return store.invoke(waits, String(op.opts?.function_id ?? ""), payload.data ?? {});
    }
    default: {
      const message = `Steps of the kind ${op.op} are not supported by the embedded engine.`;
      return store.save({ ...step, status: "failed", error: { name: "UnsupportedStepError", message } });
    }
  }
}

const unknownError: JobError = { name: "Error", message: "The step failed without saying why." };

/** Works through `items`, a few at a time; waits for all before it throws the first error. */
async function sideBySide<T>(items: T[], work: (item: T) => Promise<void>): Promise<void> {
  const rest = [...items];
  const workers = Array.from({ length: Math.min(parallelSteps, items.length) }, async () => {
    for (let item = rest.shift(); item !== undefined; item = rest.shift()) await work(item);
  });
  const outcomes = await Promise.allSettled(workers);
  const broken = outcomes.find((outcome) => outcome.status === "rejected");
  if (broken) throw broken.reason;
}
