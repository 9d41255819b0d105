import { defineConfig } from "@playwright/test";
import tests from "./playwright.config";

// The long journeys of `npm run test:soak`: every language, every role, every field for hostile text, kill -9.
// They run once: what fails by chance here is what they look for.
export default defineConfig({ ...tests, workers: 1, retries: 0, testIgnore: [], testMatch: "*.soak.spec.ts" });
