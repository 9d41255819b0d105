import { defineConfig } from "@playwright/test";
import tests from "./playwright.config";

// Pictures of every page; no test of anything, so it is none of the journeys.
export default defineConfig({
  ...tests,
  testMatch: "gallery.ts",
  timeout: 600_000,
  use: { ...tests.use, trace: "off", screenshot: "off" },
});
