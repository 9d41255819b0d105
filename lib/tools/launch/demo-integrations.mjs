// @ts-check
// npm run demo:integrations: a store, an engagement platform and Candor between them, on this machine. Everything is in
// a temporary folder that is deleted at the end, so it neither reads nor changes an existing installation.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createWriteStream, mkdtempSync, readFileSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import {
  bootstrap,
  childEnvironment,
  exitOnError,
  forwardStop,
  LaunchError,
  printLine,
  root,
  runInForeground,
  stopSignal,
} from "./bootstrap.mjs";

await bootstrap(import.meta.filename);
const { freePort } = await import("./postgres.mjs");

process.exit((await exitOnError(demo)) ?? 0);

async function demo() {
  const folder = mkdtempSync(path.join(os.tmpdir(), "candor-demo-"));
  const port = Number(process.env.PORT) || (await freePort());
  const env = environment(folder, port);
  const server = spawn(process.execPath, ["lib/tools/launch/start.mjs"], {
    cwd: root,
    env,
    stdio: ["ignore", "pipe", "pipe"],
  });
  const ended = once(server, "close");
  try {
    forwardStop(server);
    await waitUntilReady(server, folder);
    const code = await runInForeground(process.execPath, ["--import", "tsx", "lib/tools/fakes/integration-demo.ts"], {
      env,
    });
    return stopSignal.aborted ? 0 : code;
  } catch (error) {
    if (stopSignal.aborted) return 0;
    throw error;
  } finally {
    server.kill("SIGTERM");
    await ended;
    rmSync(folder, { recursive: true, force: true });
    printLine("The demo has stopped and its data was deleted.");
  }
}

/**
 * Waits until the server reports that it is ready. Prints its output until then; later output goes to its log.
 * @param {import("node:child_process").ChildProcess} server
 * @param {string} folder
 */
async function waitUntilReady(server, folder) {
  const logFile = path.join(folder, "server.log");
  const log = createWriteStream(logFile);
  let output = "";
  let ready = false;
  await new Promise((resolve, reject) => {
    for (const stream of [server.stdout, server.stderr])
      stream?.setEncoding("utf8").on("data", (/** @type {string} */ text) => {
        log.write(text);
        output += text;
        const at = output.search(/^Ready in/m);
        if (ready) return;
        // Prints the launcher's steps, without Next's own lines.
        if (at < 0) return void (/^ ?[▲✓⚠]/.test(text) || process.stdout.write(text));
        ready = true;
        resolve(undefined);
      });
    server.once("close", () => {
      log.end();
      reject(
        new LaunchError(`The server stopped before it was ready:\n${readFileSync(logFile, "utf8").slice(-2_000)}`),
      );
    });
  });
}

/**
 * The demo's own settings, independent of `.env` and the shell.
 * @param {string} folder
 * @param {number} port
 */
function environment(folder, port) {
  const unset = {
    DATABASE_URL: "",
    CANDOR_SECRET: "",
    RESEND_API_KEY: "",
    SMTP_URL: "",
    MAIL_FROM: "",
    INNGEST_EVENT_KEY: "",
    INNGEST_SIGNING_KEY: "",
    INNGEST_DEV: "",
    S3_BUCKET: "",
    TRUST_PROXY: "",
    CANDOR_DEMO: "",
    CANDOR_DEMO_PASSWORD: "",
  };
  return {
    ...childEnvironment(),
    ...unset,
    // Its parent is this launcher, not npm, so it must not watch for npm's end.
    npm_lifecycle_event: "demo:integrations",
    HOST: "127.0.0.1",
    PORT: String(port),
    PUBLIC_URL: `http://localhost:${port}`,
    DATA_DIR: folder,
    // The partners run on this machine.
    ALLOW_PRIVATE_URLS: "true",
    RATE_LIMITS: "off",
    LOG_LEVEL: "warn",
  };
}
