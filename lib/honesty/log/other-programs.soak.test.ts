import { execFile } from "node:child_process";
import { writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import path from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { tilePath } from "@/lib/honesty/log/tree";
import { run } from "@/lib/honesty/verifier/run";
import { root } from "@/lib/tools/launch/bootstrap.mjs";
import { LogFolder, shopLife } from "@/lib/tools/test/log-folder";
import { temporaryFolder } from "@/lib/tools/test/temporary-folder";

// A log of 100,000 entries with 50 heads, verified by programs that are not ours. They are skipped where they can't be
// installed: Go's needs `go`, the Python package Python 3.12. PYTHON is the program to use, if not python3.

const SIZE = 100_000;
const HEADS = 50;
const fixtures = path.join(root, "lib/honesty/log/fixtures");
const execute = promisify(execFile);

type Program = (...args: string[]) => Promise<string>;

/** What a program prints, also if it fails. */
const programOf =
  (file: string, before: string[] = []): Program =>
  (...args) =>
    execute(file, [...before, ...args], { timeout: 600_000 }).then(
      ({ stdout }) => stdout,
      (error: { stderr?: string; message: string }) => `failed: ${error.stderr || error.message}`,
    );

async function isPossible(file: string, args: string[], cwd?: string): Promise<boolean> {
  try {
    await execute(file, args, { cwd, timeout: 300_000 });
    return true;
  } catch {
    return false; // not installed, or its packages can't be downloaded
  }
}

async function goProgram(): Promise<Program | null> {
  const cwd = path.join(fixtures, "go");
  for (const go of ["go", "/usr/local/go/bin/go"]) {
    if (!(await isPossible(go, ["mod", "download"], cwd))) continue;
    const file = path.join(temporaryFolder("go"), "verify");
    await execute(go, ["build", "-o", file, "."], { cwd, timeout: 300_000 });
    return programOf(file);
  }
  return null;
}

async function pythonProgram(): Promise<Program | null> {
  const folder = temporaryFolder("python");
  const python = path.join(folder, "bin/python");
  for (const name of [process.env.PYTHON, "python3", "python3.12", "python3.13", "python3.14"]) {
    if (!name || !(await isPossible(name, ["-c", "import sys; sys.exit(sys.version_info < (3, 12))"]))) continue;
    if (!(await isPossible(name, ["-m", "venv", folder]))) continue;
    if (!(await isPossible(python, ["-m", "pip", "install", "--quiet", "aics-tlog==0.2.1"]))) return null;
    return programOf(python, [path.join(fixtures, "verify.py")]);
  }
  return null;
}

const log = new LogFolder(path.join(temporaryFolder("log"), "log"));
const heads: string[] = [];
let server: Server;
let address: string;
let headsFile: string;

beforeAll(async () => {
  server = createServer(({ url = "" }, response) => {
    try {
      response.end(log.read(url));
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  address = `http://127.0.0.1:${(server.address() as { port: number }).port}`;
});
afterAll(() => server.close());

/** Runs the program on the log as it is, and with one bit flipped in an entry. */
async function expectVerified(verify: Program): Promise<void> {
  const [key = ""] = log.keys;
  expect(await verify(address, key, headsFile)).toContain(`OK ${SIZE} entries, ${HEADS} heads`);
  const other = new LogFolder(log.folder, log.origin).keys[0] ?? "";
  expect(await verify(address, other)).toMatch(/^failed: /);
  const bundle = tilePath("entries", 200, 256);
  const bytes = log.read(bundle);
  log.write(bundle, bytes.with(1_000, bytes[1_000]! ^ 1));
  expect(await verify(address, key)).toMatch(/^failed: /);
  log.write(bundle, bytes);
}

describe("a log of 100,000 entries", () => {
  it("is written and witnessed with 50 heads by our verifier", async () => {
    const entries = [...log.opening(), ...shopLife(SIZE).entries].slice(0, SIZE);
    const state = path.join(temporaryFolder("state"), "state.json");
    for (let head = 0; head < HEADS; head++) {
      await log.append(entries.slice((head * SIZE) / HEADS, ((head + 1) * SIZE) / HEADS));
      heads.push(log.read("checkpoint").toString());
      const { code, text } = await run([address, "--witness", "--key", log.keys[0]!], state);
      expect(text).toContain(head === 0 ? "nothing was remembered" : `consistent with ${head} remembered`);
      expect(code).toBe(0);
    }
    expect(log.lines).toHaveLength(SIZE);
    headsFile = path.join(temporaryFolder("heads"), "heads.json");
    writeFileSync(headsFile, JSON.stringify(heads));
  }, 1_200_000);

  it("is verified by our verifier, with the same outcome for a flipped bit", async () => {
    const state = () => path.join(temporaryFolder("state"), "state.json");
    const started = performance.now();
    expect(await run([address, "--key", log.keys[0]!], state())).toMatchObject({ code: 0 });
    console.log(`Our verifier: ${((performance.now() - started) / 1000).toFixed(1)} s`);
    const bundle = tilePath("entries", 200, 256);
    const bytes = log.read(bundle);
    log.write(bundle, bytes.with(1_000, bytes[1_000]! ^ 1));
    expect((await run([address], state())).text).toMatch(/Entry 5\d{4} in tile\/entries\/200 doesn't match its hash/);
    log.write(bundle, bytes);
  }, 600_000);

  it("is verified by Go's packages for its checksum database", async ({ skip }) => {
    const verify = await goProgram();
    if (!verify) return skip("Go or its packages aren't available: not run.");
    await expectVerified(verify);
  }, 1_200_000);

  it("is verified by the Python package aics-tlog", async ({ skip }) => {
    const verify = await pythonProgram();
    if (!verify) return skip("Python 3.12 or the package aics-tlog isn't available: not run.");
    await expectVerified(verify);
  }, 1_200_000);
});
