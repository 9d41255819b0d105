import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { expect, test } from "@playwright/test";
import { startServer } from "./server";

// Output of a start, in its own data folder. No browser. Kill and restart: start.soak.spec.ts.

test("a busy port fails the start with a one-line error", async () => {
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
