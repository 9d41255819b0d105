import { rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, inject } from "vitest";
import { settings } from "@/lib/tools/test/settings";

// The settings of a test file, before any module of ours is loaded: nothing of the machine's own settings reaches a
// test, no mail leaves, and files go to a folder that is gone afterwards. How long a year is (CANDOR_YEAR) is no setting.

const operatorSettings =
  /^(HOST|PORT|PUBLIC_URL|TRUST_PROXY|PROCESSES|DATABASE_URL|CANDOR_(?!YEAR)\w+|RESEND_\w+|SMTP_URL|MAIL_FROM|S3_\w+|AWS_\w+|INNGEST_\w+|JOB_ENGINE)$/;
for (const name of Object.keys(process.env)) if (operatorSettings.test(name)) delete process.env[name];

const shared = inject("dataDir");
const dataDir = shared ?? path.join(os.tmpdir(), `candor-test-${process.pid}`);
Object.assign(process.env, { ...settings, LOG_LEVEL: process.env.LOG_LEVEL || "silent", DATA_DIR: dataDir });

afterAll(() => {
  if (!shared) rmSync(dataDir, { recursive: true, force: true });
});
