import { spawn } from "node:child_process";
import { once } from "node:events";
import net, { type AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { afterEach, beforeEach, expect, it } from "vitest";
import { keyIdOf } from "@/lib/platform/env";
import { root } from "@/lib/tools/launch/bootstrap.mjs";
import { emptyDatabase } from "@/lib/tools/test/database";
import { rowsOf } from "@/lib/tools/test/factories";
import { settings } from "@/lib/tools/test/settings";
import { serve } from "@/lib/tools/test/test-server";

// A server that starts before its database waits for it, and checks its secret as soon as it responds.

beforeEach(emptyDatabase);
const open: { close: () => unknown }[] = [];
afterEach(async () => {
  for (const one of open.splice(0)) await one.close();
});

/** A port without a database behind it until `arrive`. */
async function databaseToCome() {
  const real = new URL(process.env.DATABASE_URL ?? "");
  const gate = net.createServer((socket) => {
    const upstream = net.connect(Number(real.port), real.hostname);
    for (const end of [socket, upstream]) end.on("error", () => [socket, upstream].map((each) => each.destroy()));
    socket.pipe(upstream).pipe(socket);
  });
  const listen = async (port: number) => {
    gate.listen(port, "127.0.0.1");
    await once(gate, "listening");
  };
  await listen(0);
  const { port } = gate.address() as AddressInfo;
  gate.close();
  await once(gate, "close");
  open.push(gate);
  return { url: Object.assign(new URL(real), { host: `127.0.0.1:${port}` }).href, arrive: () => listen(port) };
}

/** Runs the server's startup check in a separate process, which prints the result of waiting. */
function startWaiting(environment: Record<string, string>) {
  const child = spawn(process.execPath, ["--import", "tsx", "lib/tools/test/await-database-process.ts"], {
    cwd: root,
    env: { ...process.env, LOG_LEVEL: "warn", ...environment },
    stdio: ["ignore", "pipe", "pipe"],
  });
  open.push({ close: () => child.kill("SIGKILL") });
  const output = { log: "" };
  const warned = new Promise<void>((resolve) =>
    child.stderr.setEncoding("utf8").on("data", (chunk: string) => {
      output.log += chunk;
      if (output.log.includes("isn't responding yet")) resolve();
    }),
  );
  return { child, warned, stderr: output, stdout: text(child.stdout) };
}

it.each([
  ["is recorded once it responds", settings.CANDOR_SECRET, "true\n"],
  [
    "is refused when it comes and is another's",
    "another secret, of 32 bytes or more",
    /^SettingsError: Settings: .*\n$/,
  ],
])("a database that is unavailable at the start %s", { timeout: 60_000 }, async (_, secret, expected) => {
  if (typeof expected !== "string")
    await rowsOf("insert into lasting_secret (key_id) values ($1)", [keyIdOf(settings.CANDOR_SECRET)]);
  const database = await databaseToCome();
  const { warned, stdout } = startWaiting({ DATABASE_URL: database.url, CANDOR_SECRET: secret });
  await warned;
  await database.arrive();
  expect(await stdout).toEqual(typeof expected === "string" ? expected : expect.stringMatching(expected));
  expect(await rowsOf("select key_id from lasting_secret")).toEqual([{ key_id: keyIdOf(settings.CANDOR_SECRET) }]);
});

it("stops waiting when aborted", { timeout: 60_000 }, async () => {
  const { url } = await databaseToCome();
  const { child, warned, stdout } = startWaiting({ DATABASE_URL: url });
  await warned;
  child.kill("SIGTERM");
  expect(await stdout).toBe("false\n");
});

it("answers only health checks meanwhile", async () => {
  const isOpen = { now: false };
  const answer = async () => new Response("well");
  const methods = {
    GET: answer,
    HEAD: answer,
    POST: answer,
    PUT: answer,
    PATCH: answer,
    DELETE: answer,
    OPTIONS: answer,
  };
  const health = ["/api/health", "/api/health/live", "/api/health/ready"];
  const paths = [...health, "/v1/orders"];
  const { port, close } = await serve(
    paths.map((path) => ({ path, methods })),
    () => isOpen.now,
  );
  open.push({ close });
  const request = (path: string, method = "GET") => fetch(`http://127.0.0.1:${port}${path}`, { method });
  for (const path of health) expect((await request(path)).status).toBe(200);
  const api = await request("/v1/orders", "POST");
  expect([api.status, api.headers.get("retry-after"), (await api.json()).errors[0].code]).toEqual([
    503,
    "2",
    "unavailable",
  ]);
  const page = await request("/portal");
  expect([page.status, await page.text()]).toEqual([503, expect.stringContaining("isn’t ready yet")]);
  isOpen.now = true;
  expect(await Promise.all(["/v1/orders", "/portal"].map(async (path) => (await request(path)).status))).toEqual([
    200, 299,
  ]);
});
