import { spawn } from "node:child_process";
import path from "node:path";
import { createInterface } from "node:readline";
import { describe, expect, it } from "vitest";
import { heapUsageOptions } from "@/lib/tools/test/heap-usage";

// Measured in a separate process, whose heap has nothing else: it reads a generated feed and prints its peak memory.
const script = path.join(import.meta.dirname, "fixtures/measure-reading.ts");

async function peak(format: string, count: number): Promise<{ rows: number; megabytes: number }> {
  const child = spawn(process.execPath, [...heapUsageOptions, "--import", "tsx", script, format, String(count)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const lines: string[] = [];
  for await (const line of createInterface(child.stdout)) lines.push(line);
  return JSON.parse(lines.join(""));
}

describe("memory while reading", () => {
  it.each(["xml", "csv", "json"])(
    "doesn't grow with the feed: %s of 30,000 and of 300,000 products",
    async (format) => {
      const small = await peak(format, 30_000);
      const large = await peak(format, 300_000);
      expect(small.rows).toBe(30_000);
      expect(large.rows).toBe(300_000);
      // The feed is 270,000 products and more than 80 MB longer; as objects these would take several hundred MB.
      expect(large.megabytes - small.megabytes).toBeLessThan(20);
    },
    60_000,
  );
});
