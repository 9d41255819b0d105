import type { InngestFunction } from "inngest";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { now, withNow } from "@/lib/platform/clock";
import { pool, transaction } from "@/lib/platform/db/pool";
import type { AppError } from "@/lib/platform/errors";
import { Engine } from "@/lib/platform/jobs/engine";
import { type JobsApp, readJobs } from "@/lib/platform/jobs/functions";
import { listRuns } from "@/lib/platform/jobs/list-runs";
import { enqueue } from "@/lib/platform/jobs/outbox/enqueue";
import { relayToEngine } from "@/lib/platform/jobs/outbox/relay";
import { openQueue } from "@/lib/platform/jobs/queue";
import { retryRun } from "@/lib/platform/jobs/retry-run";
import { runJobNow } from "@/lib/platform/jobs/run-job-now";
import { startDueSlots, startMissedSlots } from "@/lib/platform/jobs/schedule";
import { selectOutsideRuns } from "@/lib/platform/jobs/sql";
import { emptyDatabase } from "@/lib/tools/test/database";
import { type MakeFunctions, sendEvents, shortBackoff, testApp, waitUntil } from "@/lib/tools/test/engines";

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

const engines: Engine[] = [];
beforeEach(() => emptyDatabase());
afterEach(async () => {
  for (const engine of engines.splice(0)) await engine.stop();
});

async function start(app: JobsApp, count = 1): Promise<void> {
  for (let n = 0; n < count; n += 1) engines.push(await Engine.start(app, { backoff: shortBackoff }));
}

const allEnded = () =>
  waitUntil(async () => {
    const runs = await listRuns();
    return runs.length > 0 && runs.every(({ ended_at }) => ended_at) ? runs : null;
  });

describe("limits", () => {
  it("limits concurrent runs per key across two engines", async () => {
    const busy = new Map<string, number>();
    let maxConcurrent = 0;
    let concurrent = 0;
    const app = testApp((client) => [
      client.createFunction(
        { id: "f", triggers: [{ event: "go" }], concurrency: { limit: 1, key: "event.data.key" } },
        async ({ event, step }) => {
          const { key } = event.data;
          await step.run("work", async () => {
            busy.set(key, (busy.get(key) ?? 0) + 1);
            concurrent += 1;
            maxConcurrent = Math.max(maxConcurrent, concurrent);
            expect(busy.get(key)).toBe(1);
            await pause(60);
            busy.set(key, 0);
            concurrent -= 1;
          });
        },
      ),
    ]);
    await start(app, 2);
    await sendEvents(
      app,
      Array.from({ length: 12 }, (_, n) => ({ name: "go", data: { key: n % 2 ? "odd" : "even" } })),
    );
    const runs = await allEnded();
    expect(runs.filter(({ status }) => status === "done")).toHaveLength(12);
    expect(maxConcurrent).toBe(2);
  });

  it("releases the slot of a sleeping run", async () => {
    const order: string[] = [];
    const app = testApp((client) => [
      client.createFunction({ id: "f", triggers: [{ event: "go" }], concurrency: 1 }, async ({ event, step }) => {
        await step.run("begin", () => void order.push(`${event.data.n} begins`));
        await step.sleep("nap", "1s");
        await step.run("end", () => void order.push(`${event.data.n} ends`));
      }),
    ]);
    await start(app);
    await sendEvents(
      app,
      [1, 2].map((n) => ({ name: "go", data: { n } })),
    );
    await allEnded();
    expect(order.slice(0, 2).sort()).toEqual(["1 begins", "2 begins"]);
  });

  it("has separate slots for own work and for runs that wait for other systems", async () => {
    const ran: string[] = [];
    const releases = new Map<string, () => void>();
    const made: InngestFunction.Any[] = [];
    const app = testApp((client) => {
      for (const id of ["own", "outside"])
        made.push(
          client.createFunction({ id, triggers: [{ event: id }] }, async ({ event, step }) =>
            step.run("work", async () => {
              ran.push(event.data.name);
              if (event.data.held) await new Promise<void>((resolve) => releases.set(id, resolve));
            }),
          ),
        );
      return made;
    });
    const withOutside = { ...app, outside: made.slice(1) };
    engines.push(await Engine.start(withOutside, { backoff: shortBackoff, slots: { own: 1, outside: 1 } }));
    const send = (name: string, data: object) =>
      sendEvents(withOutside, [{ name, data: data as Record<string, unknown> }]);
    await send("outside", { name: "a", held: true });
    await waitUntil(async () => ran.includes("a"));
    await send("outside", { name: "waits" });
    await send("own", { name: "b", held: true });
    await waitUntil(async () => ran.includes("b"));
    releases.get("outside")?.();
    await waitUntil(async () => ran.includes("waits"));
    releases.get("own")?.();
    await allEnded();
    expect(ran).toEqual(["a", "b", "waits"]);
  });

  it("executes a run that an older process queued under a function's former name", async () => {
    const older = testApp((client) => [
      client.createFunction({ id: "former", triggers: [{ event: "go" }] }, async () => 1),
    ]);
    const ran: number[] = [];
    const newer = testApp((client) => [
      client.createFunction({ id: "current", triggers: [{ event: "go" }] }, async ({ step }) =>
        step.run("work", () => ran.push(1)),
      ),
    ]);
    await start({ ...newer, renamed: { former: "current" } });
    await sendEvents(older, [{ name: "go" }]);
    expect(await allEnded()).toMatchObject([{ function: "former", status: "done", error: null }]);
    expect(ran).toEqual([1]);
  });

  it("postpones a run of an unknown function by a minute", async () => {
    const newer = testApp((client) =>
      ["own", "outside"].map((id) => client.createFunction({ id, triggers: [{ event: "go" }] }, async () => id)),
    );
    await start(testApp(() => []));
    await sendEvents({ ...newer, outside: newer.functions.slice(1) }, [{ name: "go" }]);
    const runs = async () => {
      const { rows } = await pool().query(
        `select outside, status, lease, wake_at > now() + interval '50 seconds' as later from job_runs order by outside`,
      );
      return rows;
    };
    await waitUntil(async () => (await runs()).every(({ status }) => status === "waiting"));
    await pause(1_200); // the engine has polled twice
    expect(await runs()).toEqual(
      [false, true].map((outside) => ({ outside, status: "waiting", lease: 1, later: true })),
    );
  });

  it("rejects unsupported options at the start", async () => {
    const refused = (make: MakeFunctions) => expect(readJobs(testApp(make))).rejects;
    const triggers = [{ event: "e" }];
    const options: [object, string][] = [
      [{ debounce: { period: "1s" } }, "`debounce` without a `period` and a `timeout`"],
      [{ singleton: { mode: "skip" } }, "`singleton`"],
      [{ cancelOn: [{ event: "stop" }] }, "`cancelOn`"],
      [{ onFailure: async () => {} }, "`onFailure`"],
      [{ triggers: [{ event: "e", if: "event.data.n > 1" }] }, "`if` in a trigger"],
      [{ concurrency: { limit: 1, scope: "env", key: "event.data.id" } }, "`scope` in a concurrency"],
      [{ concurrency: { limit: 1, key: "event.data.a + event.data.b" } }, 'the key "event.data.a + event.data.b"'],
      [{ concurrency: [1, 2, 3] }, "more than two `concurrency` limits"],
    ];
    for (const [option, words] of options)
      await refused((client) => [client.createFunction({ id: "f", triggers, ...option }, async () => {})]).toThrow(
        `the embedded engine does not support ${words}`,
      );
    await refused((client) => [
      client.createFunction({ id: "f", triggers: [{ cron: "whenever" }] }, async () => {}),
    ]).toThrow(/whenever/);
  });
});

describe("an engine that is stuck while it selects runs that wait for other systems", () => {
  it("doesn't block other engines", async () => {
    const [stuck, other] = [await pool().connect(), await pool().connect()];
    try {
      await stuck.query("begin");
      await selectOutsideRuns(stuck, 1, []);
      await other.query("begin");
      await other.query("set local lock_timeout = '1s'");
      expect(await selectOutsideRuns(other, 1, [])).toEqual([]);
    } finally {
      for (const db of [other, stuck]) {
        await db.query("rollback");
        db.release();
      }
    }
  });
});

describe("schedules", () => {
  const ticking = (ran: string[]) =>
    testApp((client) => [
      client.createFunction({ id: "tick", triggers: [{ cron: "* * * * * *" }] }, async ({ runId, step }) => {
        await step.run("tick", () => void ran.push(runId));
      }),
    ]);

  it("runs a slot once across engines", async () => {
    const ran: string[] = [];
    await start(ticking(ran), 3);
    await waitUntil(async () => ran.length >= 3);
    for (const engine of engines.splice(0)) await engine.stop();
    const { rows } = await pool().query<{ id: string; event_id: string }>("select id, event_id from job_runs");
    // One run for each second, regardless of the number of engines.
    const slots = rows.map(({ event_id }) => /T\d\d:\d\d:\d\d\.000Z$/.exec(event_id)?.[0]);
    expect(slots).not.toContain(undefined);
    expect(new Set(slots).size).toBe(rows.length);
    expect(new Set(ran).size).toBe(ran.length);
    expect(rows.map(({ id }) => id)).toEqual(expect.arrayContaining(ran));
  });

  it("starts one run if engines race for a slot", async () => {
    const jobs = await readJobs(ticking([]));
    await openQueue();
    const since = new Date("2026-03-01T11:59:58.500Z");
    const until = new Date("2026-03-01T12:00:00.000Z");
    await Promise.all(Array.from({ length: 8 }, () => startDueSlots(jobs, since, until)));
    const { rows } = await pool().query("select event_id from job_runs");
    expect(rows).toEqual([{ event_id: "cron-test-tick-* * * * * *-2026-03-01T12:00:00.000Z" }]);
  });

  it("uses the time zone, and runs the last missed slot of a schedule that ran before", async () => {
    const jobs = await readJobs(
      testApp((client) => [
        client.createFunction({ id: "f", triggers: [{ cron: "TZ=Europe/Stockholm 30 3 * * *" }] }, async () => {}),
      ]),
    );
    await openQueue();
    await startMissedSlots(jobs, new Date("2026-07-10T12:00:00Z"));
    expect(await listRuns()).toEqual([]);
    await startDueSlots(jobs, new Date("2026-07-10T01:29:59Z"), new Date("2026-07-10T01:30:00Z"));
    await startDueSlots(jobs, new Date("2026-07-10T01:30:00Z"), new Date("2026-07-10T23:00:00Z"));
    await startMissedSlots(jobs, new Date("2026-07-14T12:00:00Z"));
    await startMissedSlots(jobs, new Date("2026-07-14T13:00:00Z"));
    const { rows } = await pool().query<{ ts: number }>("select (event->>'ts')::bigint as ts from job_runs order by 1");
    expect(rows.map(({ ts }) => new Date(ts).toISOString())).toEqual([
      "2026-07-10T01:30:00.000Z",
      "2026-07-14T01:30:00.000Z",
    ]);
  });
});

describe("the outbox", () => {
  it("relays a committed event once with its row's id, and drops events without subscribers", async () => {
    const received: unknown[] = [];
    const app = testApp((client) => [
      client.createFunction({ id: "f", triggers: [{ event: "review/updated" }] }, async ({ event }) => {
        received.push([event.id, event.data]);
      }),
    ]);
    await start(app, 2);
    await transaction((db) =>
      enqueue(db, [
        { name: "review/updated", data: { client_id: "c", review_id: "1" } },
        { name: "review/submitted", data: { client_id: "c", review_id: "r" } },
      ]),
    );
    await expect(
      transaction(async (db) => {
        await enqueue(db, [{ name: "review/updated", data: { client_id: "c", review_id: "2" } }]);
        throw new Error("rolled back");
      }),
    ).rejects.toThrow("rolled back");
    await allEnded();
    await waitUntil(async () => {
      const { rows } = await pool().query("select from outbox where relayed_at is null");
      return rows.length === 0;
    });
    expect(received).toEqual([[expect.stringMatching(/^outbox-\d+$/), { client_id: "c", review_id: "1" }]]);
  });

  it("delays an event as requested, and rejects one of the wrong shape", async () => {
    const jobs = await readJobs(testApp(() => []));
    await enqueue(pool(), [{ name: "review/updated", data: { client_id: "c", review_id: "1" }, delay_seconds: 60 }]);
    await enqueue(pool(), [{ name: "review/updated", data: { client_id: "c", review_id: "2" } }]);
    expect(await relayToEngine(jobs)).toBe(1);
    const wrong = { name: "review/updated", data: { client_id: "c" } } as never;
    await expect(enqueue(pool(), [wrong])).rejects.toThrow(/review_id/);
  });

  it("relays ten thousand events from several processes without duplicates", async () => {
    const app = testApp((client) => [
      client.createFunction({ id: "f", triggers: [{ event: "review/updated" }] }, async () => {}),
    ]);
    const jobs = await readJobs(app);
    await openQueue();
    await pool().query(
      `insert into outbox (client_id, name, data) select 'c', case when n % 10 = 0 then 'review/updated' else 'review/submitted' end,
         jsonb_build_object('client_id', 'c', 'review_id', n::text) from generate_series(1, 10000) n`,
    );
    const relayed = await Promise.all([1, 2, 3, 4].map(() => relayToEngine(jobs)));
    expect(relayed.reduce((sum, count) => sum + count)).toBe(10_000);
    const { rows } = await pool().query(
      "select count(*)::int as n, count(distinct event_id)::int as ids from job_runs",
    );
    expect(rows).toEqual([{ n: 1_000, ids: 1_000 }]);
  });
});

describe("runJobNow", () => {
  type Note = { what: string; at: Date; clients?: string[] };

  /** A scheduled function that starts others by event and outbox event; each records its time. */
  const relatedFunctions = (calls: Note[]): MakeFunctions => {
    return (client) => {
      const recordCall = (what: string, clients?: string[]) => void calls.push({ what, at: now(), clients });
      return [
        client.createFunction(
          { id: "nightly", triggers: [{ cron: "0 3 * * *" }, { event: "schedule/nightly" }] },
          async ({ event, step }) => {
            await step.run("begin", () => recordCall("nightly", event.data?.client_ids));
            await step.sendEvent("send", { name: "child/sent", data: {} });
            await step.run("write", () =>
              transaction((db) => enqueue(db, [{ name: "review/updated", data: { client_id: "c", review_id: "1" } }])),
            );
            return "ran";
          },
        ),
        client.createFunction(
          { id: "child", triggers: [{ event: "child/sent" }], retries: 2 },
          async ({ step, attempt }) => {
            await step.sleep("nap", "1s");
            if (attempt === 0) throw new Error("not at first");
            await step.run("note", () => recordCall("child"));
          },
        ),
        client.createFunction({ id: "from-fact", triggers: [{ event: "review/updated" }] }, async ({ step }) =>
          step.run("note", () => recordCall("from fact")),
        ),
      ];
    };
  };

  it.each([
    ["without a server", 0],
    ["beside servers", 2],
  ])("runs %s until everything it started has ended, with the given clock", async (_name, servers) => {
    const notes: Note[] = [];
    const app = testApp(relatedFunctions(notes));
    await start(app, servers);
    const moment = new Date("2031-05-01T08:00:00Z");
    const report = await runJobNow(app, "nightly", { now: moment, clientIds: ["a", "b"], backoff: shortBackoff });
    expect(report.settled).toBe(true);
    expect(report.runs[0]).toMatchObject({ function: "nightly", status: "done", output: "ran" });
    expect(report.runs.map((run) => [run.function, run.status]).sort()).toEqual([
      ["child", "done"],
      ["from-fact", "done"],
      ["nightly", "done"],
    ]);
    expect(notes.map(({ what }) => what).sort()).toEqual(["child", "from fact", "nightly"]);
    expect(notes.find(({ what }) => what === "nightly")?.clients).toEqual(["a", "b"]);
    for (const { at } of notes) {
      expect(at.getTime()).toBeGreaterThanOrEqual(moment.getTime() - 1);
      expect(at.getTime()).toBeLessThan(moment.getTime() + 30_000);
    }
  });

  it("ignores other runs and reports long waits", async () => {
    const app = testApp((client) => [
      client.createFunction({ id: "long", triggers: [{ event: "schedule/long" }] }, async ({ step }) => {
        await step.sleep("a day", "1d");
      }),
      client.createFunction({ id: "other", triggers: [{ event: "other" }] }, async () => {}),
    ]);
    await sendEvents(app, [{ name: "other" }]);
    const report = await runJobNow(app, "long");
    expect(report).toMatchObject({ settled: false, runs: [{ function: "long", status: "waiting" }] });
    const others = await listRuns({ status: "queued" });
    expect(others.map(({ function: id }) => id)).toEqual(["other"]);
  });

  it("uses the caller's clock", async () => {
    const notes: Note[] = [];
    const app = testApp((client) => [
      client.createFunction({ id: "f", triggers: [{ event: "schedule/f" }] }, async () => {
        notes.push({ what: "f", at: now() });
      }),
    ]);
    await withNow(new Date("2030-01-01T00:00:00Z"), () => runJobNow(app, "f"));
    expect(notes[0]?.at.toISOString().slice(0, 10)).toBe("2030-01-01");
  });

  it("rejects an unknown function, and another day if real email is configured", async () => {
    const app = testApp(relatedFunctions([]));
    await expect(runJobNow(app, "child")).rejects.toMatchObject({
      code: "invalid_parameter",
      message: expect.stringContaining("nightly"),
    } satisfies Partial<AppError>);
    process.env.SMTP_URL = "smtp://localhost";
    process.env.MAIL_FROM = "a@example.org";
    vi.resetModules();
    try {
      const { runJobNow: inProduction } = await import("@/lib/platform/jobs/run-job-now");
      const far = new Date(Date.now() + 3 * 86_400_000);
      await expect(inProduction(app, "nightly", { now: far })).rejects.toMatchObject({ code: "invalid_parameter" });
    } finally {
      delete process.env.SMTP_URL;
      delete process.env.MAIL_FROM;
      vi.resetModules();
    }
    expect(await listRuns()).toEqual([]);
  });
});

describe("admin commands", () => {
  it("list failed runs with their step, and retry from there", async () => {
    let broken = true;
    const ran: string[] = [];
    const app = testApp((client) => [
      client.createFunction({ id: "f", triggers: [{ event: "go" }], retries: 1 }, async ({ step }) => {
        await step.run("first", () => void ran.push("first"));
        return step.run("second", () => {
          ran.push("second");
          if (broken) throw new Error("the provider is down");
          return "sent";
        });
      }),
    ]);
    await start(app);
    await sendEvents(app, [{ name: "go" }]);
    const [failed] = await allEnded();
    expect(failed).toMatchObject({
      function: "f",
      event: "go",
      status: "failed",
      step: "second",
      error: { message: "the provider is down" },
    });
    broken = false;
    await retryRun(failed?.id ?? "");
    const [again] = await allEnded();
    expect(again).toMatchObject({ status: "done", error: null });
    expect(ran).toEqual(["first", "second", "second", "second"]);
    await expect(retryRun(failed?.id ?? "")).rejects.toMatchObject({ code: "conflict" });
    await expect(retryRun("run_unknown")).rejects.toMatchObject({ code: "not_found" });
  });

  it("recovers from a broken connection without losing runs", async () => {
    const app = testApp((client) => [
      client.createFunction({ id: "f", triggers: [{ event: "go" }] }, async ({ step }) => {
        for (const n of [1, 2, 3, 4]) await step.run(`step ${n}`, () => pause(100));
      }),
    ]);
    await start(app);
    await sendEvents(
      app,
      Array.from({ length: 5 }, () => ({ name: "go" })),
    );
    await pause(600);
    await pool().query(
      "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid() and application_name like 'candor%'",
    );
    const runs = await waitUntil(async () => {
      const found = await listRuns();
      return found.every(({ ended_at }) => ended_at) ? found : null;
    }, 25_000);
    expect(runs.map(({ status }) => status)).toEqual(["done", "done", "done", "done", "done"]);
  }, 30_000);
});
