import { Middleware } from "inngest";
import { recordFailedJob } from "@/lib/accounts/notifications/record-failed-job";
import { clearJobFailure, subjectOf } from "@/lib/platform/jobs/job-failures";
import { log } from "@/lib/platform/log";

/** Records how each run of a function ended, on either engine: Inngest's runs aren't in our database. */
export class RecordOutcome extends Middleware.BaseMiddleware {
  readonly id = "record-outcome";

  override async onRunComplete({ ctx, fn }: Middleware.OnRunCompleteArgs): Promise<void> {
    await logFailure(clearJobFailure(subjectOf(fn.id(), ctx.event.data)));
  }

  override async onRunError({ ctx, fn, isFinalAttempt }: Middleware.OnRunErrorArgs): Promise<void> {
    if (isFinalAttempt) await logFailure(recordFailedJob(subjectOf(fn.id(), ctx.event.data), ctx.runId));
  }
}

/** An error while recording doesn't affect the run. */
const logFailure = (recording: Promise<void>): Promise<void> =>
  recording.catch((error) => log.warn({ err: error }, "could not record job outcome"));
