import { defineConfig } from "@playwright/test";
import tests from "./playwright.config";

// Screenshots of every page. They test nothing, so they have their own config.
export default defineConfig({
  ...tests,
  testMatch: "screenshots.ts",
  timeout: 600_000,
  use: { ...tests.use, trace: "off", screenshot: "off" },
});
