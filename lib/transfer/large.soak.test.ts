import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import path from "node:path";
import { createInterface } from "node:readline";
import { expect, it } from "vitest";
import { verifySummaries } from "@/lib/catalog/summaries/verify-summaries";
import { aClient, rowsOf } from "@/lib/tools/test/factories";
import { heapUsageOptions } from "@/lib/tools/test/heap-usage";
import { exportReviews } from "@/lib/transfer/export-reviews";
import { generatedReviews } from "@/lib/transfer/fixtures/generated-reviews";
import { importReviews } from "@/lib/transfer/import-reviews";

// Imports in separate processes: measured, since their heap has nothing else, and killed.

const script = path.join(import.meta.dirname, "fixtures/import-process.ts");
const start = (...args: string[]) =>
  spawn(process.execPath, [...heapUsageOptions, "--import", "tsx", script, ...args], {
    stdio: ["ignore", "pipe", "inherit"],
  });

async function run(...args: string[]) {
  let last = "";
  for await (const line of createInterface(start(...args).stdout)) last = line;
  return JSON.parse(last);
}

it("imports and exports 40,000 reviews in the memory of 4,000", async () => {
  const [few, many] = [await aClient(), await aClient()];
  const small = await run(few.id, "jsonl", "4000", "export");
  const large = await run(many.id, "jsonl", "40000", "export");
  expect(small).toMatchObject({ read: 4_000, created: 4_000, rejectedCount: 0 });
  expect(large).toMatchObject({ read: 40_000, created: 40_000, rejectedCount: 0 });
  expect(large.characters).toBeGreaterThan(10 * small.characters);
  // The file and the export are 25 MB longer each; in memory, the rows would take 32 MB.
  expect(large.megabytes - small.megabytes).toBeLessThan(10);
  expect(await verifySummaries(many.id)).toEqual([]);
}, 600_000);

it("gives the same result if killed at any moment and run again", async () => {
  const rows = 5_000;
  const whole = await aClient();
  await importReviews(whole.id, generatedReviews("csv", rows));
  const broken = await aClient();
  for (const until of [1_000, 3_000]) {
    const child = start(broken.id, "csv", String(rows));
    for await (const line of createInterface(child.stdout)) {
      if (JSON.parse(line).written < until) continue;
      child.kill("SIGKILL");
      break;
    }
    if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
    expect(child.signalCode).toBe("SIGKILL");
    const [{ count }] = await rowsOf("select count(*)::int from reviews where client_id = $1", [broken.id]);
    expect(count).toBeGreaterThanOrEqual(until);
    expect(count).toBeLessThan(rows);
    expect(await verifySummaries(broken.id)).toEqual([]);
  }
  const report = await importReviews(broken.id, generatedReviews("csv", rows));
  expect(report).toMatchObject({ read: rows, updated: 0, rejectedCount: 0 });
  expect(report.unchanged).toBeGreaterThanOrEqual(3_000);
  const digest = async (id: string) => {
    const hash = createHash("sha256");
    for await (const piece of exportReviews(id)) hash.update(piece);
    return hash.digest("hex");
  };
  expect(await digest(broken.id)).toBe(await digest(whole.id));
  const history = "select count(*)::int from moderation_events where client_id = $1";
  expect(await rowsOf(history, [broken.id])).toEqual([{ count: rows }]);
  expect(await verifySummaries(broken.id)).toEqual([]);
}, 180_000);
