import { afterEach, expect, it, vi } from "vitest";
import { isLeaving, markLeaving } from "./use-shortcuts";

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

it("re-enables shortcuts if the next page doesn't load", () => {
  vi.useFakeTimers({ toFake: ["performance"] });
  vi.stubGlobal("location", new URL("https://shop.example/portal/queue?status=all"));
  markLeaving("/portal/queue?status=accepted");
  expect(isLeaving()).toBe(false);
  markLeaving("/portal/orders");
  expect(isLeaving()).toBe(true);
  vi.advanceTimersByTime(9_000);
  expect(isLeaving()).toBe(true);
  vi.advanceTimersByTime(1_000);
  expect(isLeaving()).toBe(false);
});
