import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { isAtWork } from "@/lib/integrations/record-run";
import { DEAD_AFTER, isRunning } from "@/lib/integrations/rows";

// As long as one of these says so, the page of a connected system looks again by itself.

const moment = Date.parse("2026-03-01T12:00:00Z");
beforeAll(() => void vi.useFakeTimers({ toFake: ["Date"], now: moment }));
afterAll(() => void vi.useRealTimers());

describe("a run in the list", () => {
  const run = (outcome: "running" | "done" | "failed", ago: number) =>
    isAtWork({ outcome, started_at: new Date(moment - ago).toISOString() });

  it("is at work until it has ended, or is taken for dead", () => {
    expect(run("running", 0)).toBe(true);
    expect(run("running", DEAD_AFTER - 1)).toBe(true);
    expect(run("running", DEAD_AFTER)).toBe(false);
    for (const outcome of ["done", "failed"] as const) expect(run(outcome, 0)).toBe(false);
  });
});

describe("a connected system", () => {
  const running = (state: Record<string, unknown>, asked = false) => isRunning({ type: "share", state, asked });

  it("runs while it is asked to, or did something lately under its own name", () => {
    expect(running({})).toBe(false);
    expect(running({}, true)).toBe(true);
    expect(running({ share: { active_at: moment - DEAD_AFTER + 1 } })).toBe(true);
    expect(running({ share: { active_at: moment - DEAD_AFTER } })).toBe(false);
    expect(running({ commerce: { active_at: moment } })).toBe(false);
    expect(running({ share: { active_at: "now" } })).toBe(false);
  });
});
