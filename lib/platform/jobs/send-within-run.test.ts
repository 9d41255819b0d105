import { once } from "node:events";
import http from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { fetchWithinRun } from "@/lib/platform/jobs/send-within-run";

// An Inngest server that accepts connections and never responds.
const silent = http.createServer(() => undefined);
beforeAll(async () => {
  silent.listen(0, "127.0.0.1");
  await once(silent, "listening");
});
afterAll(() => {
  silent.close();
  silent.closeAllConnections();
});

it("times out without a response, and stops when the caller aborts", async () => {
  const address = `http://127.0.0.1:${(silent.address() as AddressInfo).port}/fn/register`;
  const timeout = AbortSignal.timeout.bind(AbortSignal);
  const timeoutSpy = vi.spyOn(AbortSignal, "timeout").mockImplementation(() => timeout(20));
  try {
    await expect(fetchWithinRun(address, { method: "POST", body: "{}" })).rejects.toThrow(/timeout/);
    expect(timeoutSpy.mock.calls[0]?.[0]).toBeLessThanOrEqual(10_000); // the server's stop waits no longer than this
    timeoutSpy.mockRestore();
    await expect(fetchWithinRun(address, { signal: AbortSignal.abort(new Error("enough")) })).rejects.toThrow("enough");
  } finally {
    timeoutSpy.mockRestore();
  }
});
