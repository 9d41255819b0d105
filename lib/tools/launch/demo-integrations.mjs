// @ts-check
// npm run demo:integrations: a shop, an engagement platform and Candor between them, on this machine. Everything is in a
// folder of its own that goes at the end, so that it neither sees nor touches an installation that is here.
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
 * Waits until the server says that it is ready. What it does until then is told here, what it says later is in its log.
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
        // Its own steps, not what the web server says of itself.
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
 * The settings of the demo: its own, whatever `.env` or the shell has for an installation that is here.
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
    // Its parent is this launcher, which npm did not start: it need not watch for npm's end.
    npm_lifecycle_event: "demo:integrations",
    HOST: "127.0.0.1",
    PORT: String(port),
    PUBLIC_URL: `http://localhost:${port}`,
    DATA_DIR: folder,
    // The partners are on this machine.
    ALLOW_PRIVATE_URLS: "true",
    RATE_LIMITS: "off",
    LOG_LEVEL: "warn",
  };
}
