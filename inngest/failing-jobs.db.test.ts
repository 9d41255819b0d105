import { afterEach, beforeEach, describe, expect, it } from "vitest";
import * as readiness from "@/app/api/health/ready/route";
import { startService } from "@/inngest/fixtures/service";
import { countFailures, listFailures } from "@/lib/insights/home/list-failures";
import { pool } from "@/lib/platform/db/pool";
import { enqueue } from "@/lib/platform/jobs/outbox/enqueue";
import { call } from "@/lib/tools/test/call";
import { emptyDatabase } from "@/lib/tools/test/database";
import { eventKey, shortBackoff, signingKey, waitUntil } from "@/lib/tools/test/engines";
import { rowsOf } from "@/lib/tools/test/factories";
import { InngestFake } from "@/lib/tools/test/inngest-fake";
import { makeClient } from "@/lib/tools/test/invitation-rows";

// A job that fails for a store is listed, on either engine, until it succeeds for that store.

beforeEach(emptyDatabase);

const [admin, operator] = [{ role: "admin" }, { role: "operator" }] as const;
const ready = async () => (await call(readiness, "GET", "/api/health/ready")).json;
const failing = (id: string) => countFailures(admin, { id }).then(({ jobs }) => jobs);

/** A store whose run fails because its time zone doesn't exist. */
async function brokenStore(id: string): Promise<string> {
  await makeClient(id, {});
  await rowsOf(`update clients set config = config || '{"time_zone":"Nowhere/Land"}' where id = $1`, [id]);
  return id;
}
const fixTimeZone = (id: string) => rowsOf("update clients set config = config - 'time_zone' where id = $1", [id]);

describe("on the embedded engine", () => {
  it("lists a job that fails for one store, until it succeeds there", async () => {
    const { runJob } = await import("@/inngest/jobs");
    await brokenStore("broken");
    await makeClient("fine", {});
    const report = await runJob("send-invitations", { backoff: shortBackoff });
    expect(report.runs.map((run) => [run.function, run.status]).sort()).toEqual([
      ["claim-invitations", "done"],
      ["claim-invitations", "failed"],
      ["send-invitations", "done"],
    ]);
    expect([await failing("broken"), await failing("fine")]).toEqual([1, 0]);
    expect((await listFailures(admin, { id: "broken" })).jobs).toEqual([
      {
        job: "claim-invitations",
        client_id: "broken",
        name: expect.any(String),
        failed_since: expect.any(String),
        failed_at: expect.any(String),
        error: null,
      },
    ]);
    // The operator sees it from any store, with the error.
    expect((await listFailures(operator, { id: "fine" })).jobs).toMatchObject([
      { client_id: "broken", error: expect.stringContaining("Nowhere/Land") },
    ]);
    const readiness = await ready();
    expect(readiness).toEqual({ status: "ok", details: { failing_jobs: [{ job: "claim-invitations", failing: 1 }] } });

    await runJob("send-invitations", { backoff: shortBackoff, clientIds: ["fine"] });
    expect(await failing("broken")).toBe(1);
    await fixTimeZone("broken");
    await runJob("send-invitations", { backoff: shortBackoff });
    expect(await failing("broken")).toBe(0);
    expect(await ready()).toEqual({ status: "ok", details: { failing_jobs: [] } });
  });

  it("stores when a job started failing, and deletes it with its store", async () => {
    const { runJob } = await import("@/inngest/jobs");
    await brokenStore("broken");
    await runJob("send-invitations", { backoff: shortBackoff });
    await rowsOf("update job_failures set failed_since = '2026-01-01', failed_at = now() - interval '1 day'");
    const before = (await listFailures(admin, { id: "broken" })).jobs[0];
    await runJob("send-invitations", { backoff: shortBackoff });
    const after = (await listFailures(admin, { id: "broken" })).jobs[0];
    expect(after?.failed_since).toBe("2026-01-01T00:00:00Z");
    expect(Date.parse(after?.failed_at ?? "")).toBeGreaterThan(Date.parse(before?.failed_at ?? ""));
    await rowsOf("delete from clients where id = 'broken'");
    expect((await ready()).details).toEqual({ failing_jobs: [] });
  });

  it("shows a job of the whole installation only to the operator", async () => {
    const { recordJobFailure, clearJobFailure } = await import("@/lib/platform/jobs/job-failures");
    await makeClient("fine", {});
    await recordJobFailure({ job: "clean-up", clientId: null }, "run_1");
    await recordJobFailure({ job: "clean-up", clientId: null }, "run_2");
    expect(await failing("fine")).toBe(0);
    expect((await listFailures(operator, { id: "fine" })).jobs).toMatchObject([{ job: "clean-up", client_id: null }]);
    await clearJobFailure({ job: "clean-up", clientId: null });
    expect((await listFailures(operator, { id: "fine" })).jobs).toEqual([]);
  });
});

describe("on Inngest", () => {
  let stop: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const each of stop.reverse()) await each();
    stop = [];
  });

  it("lists the same, and clears it the same way", async () => {
    const fakeInngest = await InngestFake.start({ eventKey, signingKey, backoff: () => 20 });
    stop.push(() => fakeInngest.stop());
    const service = await startService(
      { INNGEST_EVENT_KEY: eventKey, INNGEST_SIGNING_KEY: signingKey, INNGEST_BASE_URL: fakeInngest.url },
      () => import("@/app/api/inngest/route"),
    );
    stop.push(() => service.stop());
    await waitUntil(async () => fakeInngest.registrations.length === 1);
    const client_id = await brokenStore("broken");
    await enqueue(pool(), [{ name: "invitations/due", data: { client_id } }]);
    await waitUntil(async () => (await failing("broken")) === 1);
    await waitUntil(async () => fakeInngest.runs.some(({ status }) => status === "failed"));
    expect(await rowsOf("select from job_runs")).toEqual([]);
    expect((await ready()).details).toEqual({ failing_jobs: [{ job: "claim-invitations", failing: 1 }] });
    await fixTimeZone("broken");
    await enqueue(pool(), [{ name: "invitations/due", data: { client_id } }]);
    await waitUntil(async () => (await failing("broken")) === 0);
  }, 30_000);
});
