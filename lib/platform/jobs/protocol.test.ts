import { describe, expect, it } from "vitest";
import { callFunction, durationOf, type FunctionCall } from "@/lib/platform/jobs/protocol";

const call: FunctionCall = {
  functionId: "app-f",
  runId: "run",
  event: { id: "e", name: "go", data: {}, ts: 0 },
  attempt: 1,
  maxAttempts: 4,
  finished: [
    { id: "b", data: undefined },
    { id: "a", error: { message: "no" } },
  ],
};

const callWithReply = (status: number, body: string, headers: Record<string, string> = {}) =>
  callFunction(async () => ({ status, headers, body }), "http://app/api/inngest?x=1", call);

describe("callFunction", () => {
  it("posts the event, the steps and their order", async () => {
    const sent: { url: string; body: string }[] = [];
    await callFunction(
      async (url, body) => {
        sent.push({ url, body });
        return { status: 200, headers: {}, body: "1" };
      },
      "http://app/api/inngest?x=1",
      call,
    );
    expect(sent[0]?.url).toBe("http://app/api/inngest?x=1&fnId=app-f&stepId=step");
    expect(JSON.parse(sent[0]?.body ?? "")).toMatchObject({
      version: 2,
      steps: { a: { type: "error", error: { message: "no" } }, b: { type: "data", data: null } },
      ctx: {
        attempt: 1,
        max_attempts: 4,
        disable_immediate_execution: false,
        stack: { stack: ["b", "a"], current: 2 },
      },
    });
  });

  it("reads an end, steps and errors", async () => {
    expect(await callWithReply(200, "")).toEqual({ kind: "finished", output: null });
    expect(await callWithReply(206, `[{"id":"a","op":"StepRun"}]`)).toMatchObject({
      kind: "steps",
      steps: [{ id: "a" }],
    });
    expect(await callWithReply(206, `{"id":"x","op":"RunComplete","data":7}`)).toEqual({ kind: "finished", output: 7 });
    expect(await callWithReply(400, `{"message":"bad"}`, { "x-inngest-no-retry": "true" })).toMatchObject({
      kind: "error",
      final: true,
      error: { message: "bad" },
    });
    const busy = await callWithReply(500, `{"message":"busy"}`, { "retry-after": "30" });
    expect(busy).toMatchObject({ kind: "error", final: false });
    expect(busy.kind === "error" && busy.retryAfter && busy.retryAfter.getTime() - Date.now()).toBeGreaterThan(28_000);
  });

  it("returns a retriable error for an unavailable endpoint or an invalid response", async () => {
    expect(await callWithReply(502, "<html>")).toMatchObject({ kind: "error", final: false });
    const unavailable = await callFunction(() => Promise.reject(new Error("refused")), "http://app/", call);
    expect(unavailable).toMatchObject({
      kind: "error",
      final: false,
      error: { message: expect.stringContaining("refused") },
    });
  });
});

describe("durationOf", () => {
  it.each([
    ["1s", 1_000],
    ["1w1d2h3m4s", 698_584_000],
    ["soon", null],
    ["2026-05-01T10:00:00Z", null],
  ])("%s is %s milliseconds", (text, expected) => expect(durationOf(text)).toBe(expected));
});
