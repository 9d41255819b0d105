import { rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, inject, vi } from "vitest";
import { forgetEnv } from "@/lib/platform/env";
import { instances } from "@/lib/platform/process";
import { settings } from "@/lib/tools/test/settings";
import { deleteTemporaryFolders } from "@/lib/tools/test/temporary-folder";

// The settings of a test file, applied before other modules load: tests ignore this machine's settings, send no email,
// and write files to a folder that is deleted afterwards. The length of a year (CANDOR_YEAR) is not a setting.

const operatorSettings =
  /^(HOST|PORT|PUBLIC_URL|TRUST_PROXY|PROCESSES|DATABASE_URL|CANDOR_(?!YEAR)\w+|RESEND_\w+|SMTP_URL|MAIL_FROM|S3_\w+|AWS_\w+|INNGEST_\w+|TRANSLATION_\w+|JOB_ENGINE)$/;
for (const name of Object.keys(process.env)) if (operatorSettings.test(name)) delete process.env[name];

const shared = inject("dataDir");
const dataDir = shared ?? path.join(os.tmpdir(), `candor-test-${process.pid}`);
Object.assign(process.env, {
  ...settings,
  LOG_LEVEL: process.env.LOG_LEVEL || "silent",
  DATA_DIR: dataDir,
  // Settings require an address. No server listens at this one, which `app/_database-unavailable.test.ts` relies on.
  // Database tests replace it (database.ts).
  DATABASE_URL: "postgres://nobody@127.0.0.1:1/none",
});
// A module loaded before may have read others.
forgetEnv();

// The next file may run in the same process.
afterAll(() => {
  forgetEnv();
  vi.useRealTimers();
  vi.unstubAllGlobals();
  instances().clear();
  deleteTemporaryFolders();
  if (!shared) rmSync(dataDir, { recursive: true, force: true });
});
