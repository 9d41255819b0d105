import { setTimeout as sleep } from "node:timers/promises";
import { type GetStepTools, type Inngest, NonRetriableError, RetryAfterError, referenceFunction } from "inngest";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { emptyDatabase } from "@/lib/tools/test/database";
import {
  type EndedRun,
  type MakeFunctions,
  startDouble,
  startEmbedded,
  type TestEngine,
  until,
} from "@/lib/tools/test/engines";

// The same functions on the embedded engine and on the double of an Inngest server: what comes of them must be the same.

describe.each([
  ["embedded engine", startEmbedded],
  ["Inngest", startDouble],
])("functions on the %s", (_name, start) => {
  let engine: TestEngine;
  let seen: string[];
  beforeEach(async () => {
    await emptyDatabase();
    seen = [];
  });
  afterEach(() => engine.stop());

  const run = async (
    make: MakeFunctions,
    ...events: { name: string; data?: Record<string, unknown>; id?: string }[]
  ): Promise<EndedRun[]> => {
    engine = await start(make);
    await engine.send(...events);
    return engine.settled();
  };

  it("remembers a step's result, as JSON, and runs it once", async () => {
    const [ended] = await run(
      (client) => [
        client.createFunction({ id: "f", triggers: [{ event: "go" }] }, async ({ event, step, attempt, runId }) => {
          const day = await step.run("day", () => {
            seen.push("day");
            return { at: new Date(0), nothing: undefined };
          });
          const twice = await step.run("double", () => event.data.n * 2);
          return { day, twice, attempt, known: runId.length > 0 };
        }),
      ],
      { name: "go", data: { n: 21 } },
    );
    expect(ended).toMatchObject({
      functionId: "test-f",
      status: "done",
      output: { day: { at: "1970-01-01T00:00:00.000Z" }, twice: 42, attempt: 0, known: true },
    });
    expect(seen).toEqual(["day"]);
  });

  it("repeats a failing step, not the ones before it", async () => {
    const [ended] = await run(
      (client) => [
        client.createFunction({ id: "f", triggers: [{ event: "go" }], retries: 3 }, async ({ step }) => {
          await step.run("first", () => void seen.push("first"));
          return step.run("second", () => {
            seen.push("second");
            if (seen.length < 4) throw new Error("not yet");
            return "at last";
          });
        }),
      ],
      { name: "go" },
    );
    expect(ended).toMatchObject({ status: "done", output: "at last" });
    expect(seen).toEqual(["first", "second", "second", "second"]);
  });

  it("gives up after the last attempt", async () => {
    const [ended] = await run(
      (client) => [
        client.createFunction({ id: "f", triggers: [{ event: "go" }], retries: 2 }, async ({ step }) => {
          await step.run("break", () => {
            seen.push("try");
            throw new Error("broken");
          });
        }),
      ],
      { name: "go" },
    );
    expect(ended).toMatchObject({ functionId: "test-f", status: "failed", error: { message: "broken" } });
    expect(seen).toEqual(["try", "try", "try"]);
  });

  it("lets the function catch a step that failed for good", async () => {
    const [ended] = await run(
      (client) => [
        client.createFunction({ id: "f", triggers: [{ event: "go" }], retries: 1 }, async ({ step }) => {
          try {
            await step.run("break", () => {
              seen.push("try");
              throw new NonRetriableError("never");
            });
          } catch (error) {
            return step.run("mend", () => `mended: ${(error as Error).message}`);
          }
        }),
      ],
      { name: "go" },
    );
    expect(ended).toMatchObject({ status: "done", output: "mended: never" });
    expect(seen).toEqual(["try"]);
  });

  it("repeats a function that throws outside of steps, and not one that says never", async () => {
    const ended = await run(
      (client) => [
        client.createFunction({ id: "mends", triggers: [{ event: "go" }], retries: 2 }, async ({ attempt }) => {
          if (attempt < 2) throw new Error("not yet");
          return attempt;
        }),
        client.createFunction({ id: "never", triggers: [{ event: "go" }], retries: 2 }, async () => {
          seen.push("try");
          throw new NonRetriableError("never");
        }),
      ],
      { name: "go" },
    );
    expect(byFunction(ended)).toMatchObject({
      "test-mends": { status: "done", output: 2 },
      "test-never": { status: "failed", error: { message: "never" } },
    });
    expect(seen).toEqual(["try"]);
  });

  it("waits as long as an error asks for", async () => {
    const began = Date.now();
    const [ended] = await run(
      (client) => [
        client.createFunction({ id: "f", triggers: [{ event: "go" }], retries: 1 }, async ({ step }) =>
          step.run("busy", () => {
            seen.push("try");
            if (seen.length === 1) throw new RetryAfterError("busy", "2s");
            return Date.now() - began;
          }),
        ),
      ],
      { name: "go" },
    );
    expect(ended?.status).toBe("done");
    expect(ended?.output).toBeGreaterThanOrEqual(1_000);
  });

  it("sleeps for a time", async () => {
    const began = Date.now();
    const [ended] = await run(
      (client) => [
        client.createFunction({ id: "f", triggers: [{ event: "go" }] }, async ({ step }) => {
          await step.sleep("a while", "1s");
          return step.run("look", () => Date.now());
        }),
      ],
      { name: "go" },
    );
    expect((ended as EndedRun).output as number).toBeGreaterThanOrEqual(began + 950);
  });

  it("starts others by events, once for an event that comes twice", async () => {
    const ended = await run(
      (client) => [
        client.createFunction({ id: "child", triggers: [{ event: "born" }] }, async ({ event }) => {
          seen.push(event.data.name);
        }),
        client.createFunction({ id: "parent", triggers: [{ event: "go" }] }, async ({ step }) => {
          await step.sendEvent("tell", [
            { name: "born", data: { name: "one" } },
            { name: "born", data: { name: "two" } },
          ]);
        }),
      ],
      { id: "first", name: "go" },
      { id: "first", name: "go" },
    );
    await engine.send({ id: "first", name: "go" });
    expect((await engine.settled()).map(({ functionId }) => functionId).sort()).toEqual([
      "test-child",
      "test-child",
      "test-parent",
    ]);
    expect(ended).toHaveLength(3);
    expect([...seen].sort()).toEqual(["one", "two"]);
  });

  it.each<[string, (step: GetStepTools<Inngest>) => Promise<unknown>]>([
    ["waitForEvent", (step) => step.waitForEvent("an answer", { event: "answered", timeout: "1m" })],
    ["invoke", (step) => step.invoke("another", { function: referenceFunction({ functionId: "f" }) })],
    ["sleepUntil", (step) => step.sleepUntil("tomorrow", new Date(Date.now() + 86_400_000))],
    ["parallel steps", (step) => Promise.all([step.run("left", () => 1), step.run("right", () => 2)])],
  ])("fails a run at once that asks for %s", async (_what, ask) => {
    const [ended] = await run(
      (client) => [client.createFunction({ id: "f", triggers: [{ event: "go" }] }, ({ step }) => ask(step))],
      { name: "go" },
    );
    expect(ended).toMatchObject({
      status: "failed",
      error: { message: expect.stringMatching(/^The embedded engine does not support \w.*\.$/) },
    });
  });

  it("keeps the runs of one key apart and begins them no faster than the throttle allows, dropping none", async () => {
    const begun: { key: string; at: number }[] = [];
    const atOnce = new Map<string, number>();
    let most = 0;
    const sent = Date.now();
    const ended = await run(
      (client) => [
        client.createFunction(
          {
            id: "f",
            triggers: [{ event: "go" }],
            concurrency: { limit: 1, key: "event.data.key" },
            throttle: { limit: 2, period: "1s", burst: 1, key: "event.data.key" },
          },
          async ({ event, step }) =>
            step.run("call", async () => {
              const { key } = event.data as { key: string };
              begun.push({ key, at: Date.now() - sent });
              atOnce.set(key, (atOnce.get(key) ?? 0) + 1);
              most = Math.max(most, atOnce.get(key) ?? 0);
              await new Promise((resolve) => setTimeout(resolve, 40));
              atOnce.set(key, (atOnce.get(key) ?? 0) - 1);
            }),
        ),
      ],
      ...Array.from({ length: 8 }, () => ({ name: "go", data: { key: "a" } })),
      ...Array.from({ length: 3 }, () => ({ name: "go", data: { key: "b" } })),
    );
    expect(ended.map(({ status }) => status)).toEqual(Array(11).fill("done"));
    expect(most).toBe(1);
    const timesOf = (key: string) => begun.filter((each) => each.key === key).map(({ at }) => at);
    expect([timesOf("a"), timesOf("b")].map(({ length }) => length)).toEqual([8, 3]);
    // Three may begin together, each other half a second after the one before; by the clocks of two programs.
    for (const [index, at] of timesOf("a").entries()) expect(at).toBeGreaterThanOrEqual((index - 2) * 500 - 20);
  });

  it("keeps two limits at once, and gives each place that comes free to one who may take it", async () => {
    const atOnce = new Map<string, number>();
    const most = new Map<string, number>();
    const add = (key: string, n: number) => {
      const now = (atOnce.get(key) ?? 0) + n;
      atOnce.set(key, now);
      most.set(key, Math.max(most.get(key) ?? 0, now));
    };
    const ended = await run(
      (client) => [
        client.createFunction(
          {
            id: "f",
            triggers: [{ event: "go" }],
            concurrency: [
              { limit: 1, key: "event.data.hook" },
              { limit: 2, key: "event.data.store" },
            ],
          },
          async ({ event, step }) =>
            step.run("call", async () => {
              const { hook, store } = event.data as { hook: string; store: string };
              for (const key of [hook, store]) add(key, 1);
              await sleep(30);
              for (const key of [hook, store]) add(key, -1);
            }),
        ),
      ],
      // The first hook has the most to do, and its runs come first.
      ...["a1", "a1", "a1", "a1", "a2", "a3", "a4", "b1", "b2", "b1", "b3"].map((hook) => ({
        name: "go",
        data: { hook, store: hook.slice(0, 1) },
      })),
    );
    expect(ended.map(({ status }) => status)).toEqual(Array(11).fill("done"));
    const mostOf = (keys: string[]) => keys.map((key) => most.get(key));
    expect(mostOf(["a1", "a2", "a3", "a4", "b1", "b2", "b3"])).toEqual(Array(7).fill(1));
    for (const store of mostOf(["a", "b"])) expect(store).toBeLessThanOrEqual(2);
  });

  it("makes one run of many events of a key while none has begun, and a further one of what comes after", async () => {
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    engine = await start((client) => [
      client.createFunction(
        {
          id: "f",
          triggers: [{ event: "go" }],
          concurrency: { limit: 1, key: "event.data.store" },
          debounce: { period: "1s", timeout: "5s", key: "event.data.store" },
        },
        async ({ event, step }) =>
          step.run("work", async () => {
            seen.push(event.data.store);
            await held;
          }),
      ),
    ]);
    const go = (store: string) => ({ name: "go", data: { store } });
    await engine.send(...["a", "b", "a", "a", "b", "a"].map(go));
    await until(async () => seen.length === 2);
    // Both are at work: what comes now may be something that they did not see.
    await engine.send(go("a"), go("a"), go("a"));
    release();
    const ended = await engine.settled();
    expect(ended.map(({ status }) => status)).toEqual(["done", "done", "done"]);
    expect([...seen].sort()).toEqual(["a", "a", "b"]);
  });
});

const byFunction = (ended: EndedRun[]): Record<string, EndedRun> =>
  Object.fromEntries(ended.map((run) => [run.functionId, run]));
