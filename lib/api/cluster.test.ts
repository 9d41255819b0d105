import http from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, expect, it } from "vitest";
import { freePort } from "@/lib/tools/launch/postgres.mjs";
import { killPrograms, startProgram } from "@/lib/tools/test/program";

afterEach(killPrograms);

/**
 * Opens a connection and sends a request. Returns the process that answered, null if the connection was closed, "open"
 * if nothing happens.
 */
const ask = (port: number) =>
  new Promise<number | null | "open">((resolve) => {
    const request = http.get({ port, host: "127.0.0.1", agent: false, timeout: 10_000 }, (answer) => {
      answer.setEncoding("utf8").on("data", (pid: string) => resolve(Number(pid)));
      answer.on("error", () => resolve(null));
    });
    request.on("timeout", () => {
      resolve("open");
      request.destroy();
    });
    request.on("error", () => resolve(null));
  });

it("leaves no connection of a killed process open, and starts another process", {
  timeout: 120_000,
}, async () => {
  const port = await freePort();
  await startProgram("lib/tools/test/cluster-process.ts", [String(port)]).ready();
  const killed = new Set<number>();
  for (let round = 0; round < 12; round += 1) {
    const responses = Array.from({ length: 60 }, (_, number) => sleep(number % 6).then(() => ask(port)));
    const one = await responses[0];
    if (typeof one === "number") {
      process.kill(one, "SIGKILL");
      killed.add(one);
    }
    expect(await Promise.all(responses)).not.toContain("open");
    // Until another process than the killed one answers.
    await expect.poll(async () => typeof (await ask(port)), { timeout: 60_000 }).toBe("number");
  }
  expect(killed.size).toBeGreaterThan(6);
});
