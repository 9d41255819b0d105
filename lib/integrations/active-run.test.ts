import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { isActiveRun } from "@/lib/integrations/record-run";
import { isRunning, STALE_AFTER_MS } from "@/lib/integrations/rows";

// A connected integration's page polls while one of these returns true.

const moment = Date.parse("2026-03-01T12:00:00Z");
beforeAll(() => void vi.useFakeTimers({ toFake: ["Date"], now: moment }));
afterAll(() => void vi.useRealTimers());

describe("a run in the list", () => {
  const run = (outcome: "running" | "done" | "failed", ago: number) =>
    isActiveRun({ outcome, started_at: new Date(moment - ago).toISOString() });

  it("is active until it ends or goes stale", () => {
    expect(run("running", 0)).toBe(true);
    expect(run("running", STALE_AFTER_MS - 1)).toBe(true);
    expect(run("running", STALE_AFTER_MS)).toBe(false);
    for (const outcome of ["done", "failed"] as const) expect(run(outcome, 0)).toBe(false);
  });
});

describe("a connected integration", () => {
  const running = (state: Record<string, unknown>, requested = false) =>
    isRunning({ type: "share", state, asked: requested });

  it("is running while a sync is requested or was recently active", () => {
    expect(running({})).toBe(false);
    expect(running({}, true)).toBe(true);
    expect(running({ share: { active_at: moment - STALE_AFTER_MS + 1 } })).toBe(true);
    expect(running({ share: { active_at: moment - STALE_AFTER_MS } })).toBe(false);
    expect(running({ commerce: { active_at: moment } })).toBe(false);
    expect(running({ share: { active_at: "now" } })).toBe(false);
  });
});
