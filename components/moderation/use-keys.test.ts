import { afterEach, expect, it, vi } from "vitest";
import { isLeaving, noteLeaving } from "./use-keys";

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

it("a page that was left has its keys again where the other one does not come", () => {
  vi.useFakeTimers({ toFake: ["performance"] });
  vi.stubGlobal("location", new URL("https://shop.example/portal/queue?status=all"));
  noteLeaving("/portal/queue?status=accepted");
  expect(isLeaving()).toBe(false);
  noteLeaving("/portal/orders");
  expect(isLeaving()).toBe(true);
  vi.advanceTimersByTime(9_000);
  expect(isLeaving()).toBe(true);
  vi.advanceTimersByTime(1_000);
  expect(isLeaving()).toBe(false);
});
