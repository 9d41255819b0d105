import { Middleware } from "inngest";
import { noteJobFailure, noteJobSuccess, subjectOf } from "@/lib/platform/jobs/job-failures";
import { log } from "@/lib/platform/log";

/** Notes how each run of a function ended, on either engine: Inngest's runs are not in our database. */
export class RecordOutcome extends Middleware.BaseMiddleware {
  readonly id = "note-outcome";

  override async onRunComplete({ ctx, fn }: Middleware.OnRunCompleteArgs): Promise<void> {
    await quietly(noteJobSuccess(subjectOf(fn.id(), ctx.event.data)));
  }

  override async onRunError({ ctx, fn, isFinalAttempt }: Middleware.OnRunErrorArgs): Promise<void> {
    if (isFinalAttempt) await quietly(noteJobFailure(subjectOf(fn.id(), ctx.event.data), ctx.runId));
  }
}

/** A note that could not be written changes nothing about the run. */
const quietly = (noted: Promise<void>): Promise<void> =>
  noted.catch((error) => log.warn({ err: error }, "a job's outcome could not be noted"));
