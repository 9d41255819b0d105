import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { expect, test } from "@playwright/test";
import { freePort } from "@/lib/tools/launch/postgres.mjs";
import { startServer } from "./server";

// Starts and stops a whole installation in its own data folder. No browser.

test("restarts on its data after kill -9 of everything, and after a regular stop", async ({ request }) => {
  const dataDir = mkdtempSync(path.join(os.tmpdir(), "candor-e2e-start-"));
  const port = await freePort();
  const health = async () => (await request.get(`http://127.0.0.1:${port}/api/health`)).status();
  try {
    for (const end of ["kill", "kill", "stop"] as const) {
      const server = await startServer(dataDir, port, "start.log");
      expect(await health()).toBe(200);
      await server[end]();
      await expect(health()).rejects.toThrow(/ECONNREFUSED|ECONNRESET/);
    }
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
});
