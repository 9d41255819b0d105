import os from "node:os";
import { defineConfig, devices } from "@playwright/test";
import { chromiumPath } from "@/lib/tools/launch/chromium.mjs";

const executablePath = chromiumPath();
const quiet = [
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

// The journeys of a person, in a real browser against the production server on a fresh database (server.ts).
export default defineConfig({
  testDir: ".",
  // The long ones: e2e/soak.config.ts.
  testIgnore: "*.soak.spec.ts",
  outputDir: "../test-results",
  globalSetup: "./server.ts",
  // All files share one server and one database. Each file uses its own clients, so that several can run in parallel.
  workers: 3,
  fullyParallel: false,
  forbidOnly: Boolean(process.env.CI),
  timeout: 60_000,
  // A browser on a busy machine fails by chance now and then. A test that passes at the second try is listed at the end, with
  // the error of the first try above.
  retries: 1,
  expect: { timeout: 10_000 },
  reporter: [["list"]],
  use: {
    ...devices["Desktop Chrome"],
    // Set once server.ts has run. The workers read this file again and see it.
    ...(process.env.E2E_URL ? { baseURL: process.env.E2E_URL } : {}),
    // A trace takes a quarter of the time, and tests time out on a small machine. To debug a failure, rerun the test with
    // `--trace on`.
    trace: "off",
    screenshot: "only-on-failure",
    launchOptions: {
      ...(executablePath ? { executablePath } : {}),
      // Chromium refuses to run its sandbox as root; other users keep it.
      args: os.userInfo().uid === 0 ? ["--no-sandbox", ...quiet] : quiet,
    },
  },
});
