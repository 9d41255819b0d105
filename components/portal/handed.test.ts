import { QueryClient, QueryObserver } from "@tanstack/react-query";
import { expect, test } from "vitest";
import { handOver } from "./handed";

const key = ["item", "r1"];

test("what the server read is there before anything asks for it", () => {
  const cache = new QueryClient();
  handOver(cache, [[key, "read"]], 1_000, "new");
  expect(cache.getQueryData(key)).toBe("read");
  expect(cache.getQueryState(key)?.dataUpdatedAt).toBe(1_000);
});

test("what is held is replaced by what is newer, and only once that may be drawn", () => {
  const cache = new QueryClient();
  cache.setQueryData(key, "held", { updatedAt: 2_000 });
  handOver(cache, [[key, "older"]], 1_000, "newer");
  handOver(cache, [[key, "newer"]], 3_000, "new");
  expect(cache.getQueryData(key)).toBe("held");
  handOver(cache, [[key, "newer"]], 3_000, "newer");
  expect(cache.getQueryData(key)).toBe("newer");
});

test("what somebody waits for already is answered", () => {
  const cache = new QueryClient();
  const waiting = new QueryObserver(cache, { queryKey: key, enabled: false });
  const stop = waiting.subscribe(() => {});
  handOver(cache, [[key, "read"]], 1_000, "new");
  expect(waiting.getCurrentResult().data).toBeUndefined();
  handOver(cache, [[key, "read"]], 1_000, "newer");
  expect(waiting.getCurrentResult().data).toBe("read");
  stop();
});
