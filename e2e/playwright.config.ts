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

// The journeys of a person, in a real browser against the real production server on a fresh database (server.ts).
export default defineConfig({
  testDir: ".",
  // The long ones: e2e/soak.config.ts.
  testIgnore: "*.soak.spec.ts",
  outputDir: "../test-results",
  globalSetup: "./server.ts",
  // One server and one database for all: each file keeps to clients of its own, so that several can run at once.
  workers: 3,
  fullyParallel: false,
  forbidOnly: Boolean(process.env.CI),
  timeout: 60_000,
  expect: { timeout: 10_000 },
  reporter: [["list"]],
  use: {
    ...devices["Desktop Chrome"],
    // Known once server.ts has run; the workers, who read this file again, see it.
    ...(process.env.E2E_URL ? { baseURL: process.env.E2E_URL } : {}),
    // A trace takes a quarter of the time. CI can't be asked again with `--trace retain-on-failure`; a developer can.
    trace: process.env.CI ? "retain-on-failure" : "off",
    screenshot: "only-on-failure",
    launchOptions: {
      ...(executablePath ? { executablePath } : {}),
      // Chromium refuses its sandbox to root; everybody else keeps it.
      args: os.userInfo().uid === 0 ? ["--no-sandbox", ...quiet] : quiet,
    },
  },
});
