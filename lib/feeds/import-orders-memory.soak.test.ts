import { spawn } from "node:child_process";
import path from "node:path";
import { expect, it } from "vitest";
import { aClient } from "@/lib/tools/test/factories";
import { heapUsageOptions } from "@/lib/tools/test/heap-usage";

const script = path.join(import.meta.dirname, "fixtures/import-orders-process.ts");
const start = (clientId: string, orders: number) =>
  spawn(process.execPath, [...heapUsageOptions, "--import", "tsx", script, clientId, String(orders)], {
    stdio: ["ignore", "pipe", "inherit"],
  });

it("imports a large order feed in the memory of a small one", async () => {
  const peak = async (orders: number) => {
    const client = await aClient();
    let last = "";
    for await (const piece of start(client.id, orders).stdout) last = String(piece).trimEnd().split("\n").at(-1)!;
    return JSON.parse(last);
  };
  const [small, large] = [await peak(10_000), await peak(40_000)];
  expect(small).toMatchObject({ read: 20_000, created: 20_000 });
  expect(large).toMatchObject({ read: 80_000, created: 80_000 });
  // The feed is 60,000 rows longer; held in memory, these would take 37 MB.
  expect(large.megabytes - small.megabytes).toBeLessThan(12);
}, 600_000);
