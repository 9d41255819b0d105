import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { expect, test } from "@playwright/test";
import { startServer } from "./server";

// What a start says, on a data folder of its own. No browser. Killed and started again: start.soak.spec.ts.

test("a busy port stops the start with one line", async () => {
  const { port } = new URL(process.env.E2E_URL ?? "");
  const dataDir = mkdtempSync(path.join(os.tmpdir(), "candor-e2e-busy-"));
  try {
    await expect(startServer(dataDir, Number(port), "start.log")).rejects.toThrow(
      `before it was ready:\nPort ${port} on 127.0.0.1 is already in use`,
    );
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
});
