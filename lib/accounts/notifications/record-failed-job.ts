import { notify } from "@/lib/accounts/notifications/notify";
import { isTestStore, readClient } from "@/lib/accounts/stores/get-client";
import { transaction } from "@/lib/platform/db/pool";
import { type JobSubject, recordJobFailure } from "@/lib/platform/jobs/job-failures";

/**
 * Records that a job's run failed permanently. Operators (not of a test store's job), and admins of its store, are
 * notified when it starts failing; while several jobs fail, in the same notification, since the page that it leads to
 * lists them.
 */
export function recordFailedJob(subject: JobSubject, runId: string): Promise<void> {
  return transaction(async (db) => {
    const recorded = await recordJobFailure(subject, runId, db);
    if (recorded === null) return;
    const { clientId } = subject;
    const client = clientId === null ? null : await readClient(db, clientId);
    const failed = {
      kind: "job_failed",
      params: {},
      path: "/portal/failures?kind=jobs",
      dedupeKey: "job_failed",
      isRepeat: recorded === "again",
    } as const;
    await notify(
      db,
      ...(client && isTestStore(client) ? [] : [{ ...failed, clientId: null, to: { role: "operator" } } as const]),
      ...(clientId === null ? [] : [{ ...failed, clientId, to: { role: "admin" } } as const]),
    );
  });
}
