import { notify } from "@/lib/accounts/notifications/notify";
import { transaction } from "@/lib/platform/db/pool";
import { type JobSubject, recordJobFailure } from "@/lib/platform/jobs/job-failures";

/**
 * Records that a job's run failed permanently. Operators, and admins of its store, are notified when it starts failing;
 * while several jobs fail, in the same notification, since the page that it leads to lists them.
 */
export function recordFailedJob(subject: JobSubject, runId: string): Promise<void> {
  return transaction(async (db) => {
    const recorded = await recordJobFailure(subject, runId, db);
    if (recorded === null) return;
    const { clientId } = subject;
    const failed = {
      kind: "job_failed",
      params: {},
      path: "/portal/failures?kind=jobs",
      dedupeKey: "job_failed",
      isRepeat: recorded === "again",
    } as const;
    await notify(
      db,
      { ...failed, clientId: null, to: { role: "operator" } },
      ...(clientId === null ? [] : [{ ...failed, clientId, to: { role: "admin" } } as const]),
    );
  });
}
