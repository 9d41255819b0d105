import { execFile, spawnSync } from "node:child_process";
import { cpSync, existsSync, readFileSync, rmSync } from "node:fs";
import { createServer, type Server } from "node:http";
import path from "node:path";
import { Readable } from "node:stream";
import { promisify } from "node:util";
import { afterEach, beforeAll, describe, expect, it } from "vitest";
import type { Entry } from "@/lib/honesty/entry";
import { signCheckpoint } from "@/lib/honesty/log/checkpoint";
import { bundle, leafHash } from "@/lib/honesty/log/tree";
import { run } from "@/lib/honesty/verifier/run";
import { root } from "@/lib/tools/launch/bootstrap.mjs";
import { LogFolder, newSigner, shopLife } from "@/lib/tools/test/log-folder";
import { temporaryFolder } from "@/lib/tools/test/temporary-folder";

const { version } = JSON.parse(readFileSync(path.join(root, "package.json"), "utf8"));
const packed = path.join(root, `lib/honesty/verifier/generated/candor-verify-${version}.tgz`);

/** A log with these entries after its opening, in a folder of its own. */
async function logOf(entries: Entry[]): Promise<LogFolder> {
  const log = new LogFolder(path.join(temporaryFolder("log"), "log"));
  await log.append([...log.opening(), ...entries]);
  return log;
}

const life = shopLife(700);
let honest: LogFolder;
beforeAll(async () => {
  honest = await logOf(life.entries);
});

/** A copy of the honest log, to be damaged. */
function copy(): LogFolder {
  const log = new LogFolder(path.join(temporaryFolder("log"), "log"));
  cpSync(honest.folder, log.folder, { recursive: true });
  log.lines.push(...honest.lines);
  log.signers = honest.signers;
  return log;
}

const newState = (): string => path.join(temporaryFolder("state"), "state.json");
const verify = (log: LogFolder, ...args: string[]) => run([log.folder, ...args], newState());

async function expectMismatch(log: LogFolder, message: string | RegExp, ...args: string[]): Promise<void> {
  const { code, text } = await verify(log, ...args);
  expect(text.split("\n\n")[0]).toMatch(message);
  expect(text).toMatch(/^DOES NOT FIT: /);
  expect(code).toBe(1);
}

function flip(log: LogFolder, file: string, at: number): void {
  const bytes = log.read(file);
  bytes[at]! ^= 1;
  log.write(file, bytes);
}

/** Replaces the entries of the second bundle, 256 to 511. */
function replaceBundle(log: LogFolder, change: (lines: string[]) => string[]): void {
  const lines = change(log.lines.slice(256, 512));
  log.write("tile/entries/001", bundle(lines.map((line) => Buffer.from(line))));
}

describe("the file", () => {
  const file = path.join(root, "lib/honesty/verifier/generated/verify.mjs");
  const start = (...args: string[]) => spawnSync(process.execPath, [file, ...args], { encoding: "utf8" });

  it("needs nothing but Node, and says OK", () => {
    expect([...readFileSync(file, "utf8").matchAll(/^import .* from "(.*)"/gm)].map(([, name]) => name)).toSatisfy(
      (names: string[]) => names.length > 0 && names.every((name) => name.startsWith("node:")),
    );
    const { stdout, stderr, status } = start(honest.folder, "--state", newState());
    expect({ stderr, status }).toEqual({ stderr: "", status: 0 });
    const size = honest.lines.length;
    expect(stdout.split("\n").slice(0, 3)).toEqual(["OK", `log      ${honest.origin}`, `size     ${size}`]);
    const received = life.entries.filter(({ type }) => type === "received").length;
    expect(stdout).toContain(`${received} received\n`);
    expect(stdout).toContain(`key      ${honest.keys[0]} (as the log says; give it with --key)\n`);
  });

  it("exits with 1 when something doesn't fit, with 2 when it isn't asked for anything", () => {
    const log = copy();
    rmSync(path.join(log.folder, "tile/1"), { recursive: true });
    const failed = start(log.folder, "--state", newState());
    expect([failed.status, failed.stderr]).toEqual([1, "DOES NOT FIT: tile/1/000.p/2 is missing.\n"]);
    expect(start().status).toBe(2);
    expect(start("--help").stdout).toContain("node verify.mjs");
    expect(start("no-such-folder").stderr).toContain("neither a folder nor an address");
  });
});

describe("a damaged log", () => {
  it("is found by a flipped bit in any file", async () => {
    const entry = copy();
    flip(entry, "tile/entries/001", entry.lines.slice(256, 300).join("..").length + 12);
    await expectMismatch(entry, /Entry 300 in tile\/entries\/001 doesn't match its hash in tile\/0\/001/);
    const hash = copy();
    flip(hash, "tile/0/000", 32 * 17 + 5);
    await expectMismatch(hash, /Entry 17 in tile\/entries\/000 doesn't match its hash in tile\/0\/000/);
    const above = copy();
    flip(above, "tile/1/000.p/2", 40);
    await expectMismatch(above, "tile/1/000.p/2: hash 1 is not that of tile/0/001.");
    const length = copy();
    flip(length, "tile/entries/000", 1);
    await expectMismatch(length, /tile\/entries\/000: The bundle ends in the middle|tile\/entries\/000 has|Entry 0 in/);
    const head = copy();
    flip(head, "checkpoint", head.origin.length + 1); // the first digit of its size
    await expectMismatch(head, /The checkpoint is not valid: The signature of .* is wrong/);
    const key = copy();
    flip(key, "key", key.read("key").length - 20);
    await expectMismatch(key, /The key at .* is not valid: /);
  });

  it("is found by an entry dropped, repeated or reordered", async () => {
    const dropped = copy();
    replaceBundle(dropped, (lines) => lines.toSpliced(44, 1));
    await expectMismatch(
      dropped,
      "tile/entries/001 has 255 entries instead of 256. The first that doesn't match its hash in tile/0/001 is entry 300.",
    );
    const last = copy();
    replaceBundle(last, (lines) => lines.slice(0, -1));
    await expectMismatch(last, "is entry 511.");
    const repeated = copy();
    replaceBundle(repeated, (lines) => lines.toSpliced(44, 0, lines[44]!));
    await expectMismatch(
      repeated,
      "has 257 entries instead of 256. The first that doesn't match its hash in tile/0/001 is entry 301.",
    );
    const reordered = copy();
    replaceBundle(reordered, (lines) => lines.with(44, lines[50]!).with(50, lines[44]!));
    await expectMismatch(
      reordered,
      "Entry 300 in tile/entries/001 doesn't match its hash in tile/0/001. It is entry 306 there: the order was changed.",
    );
  });

  it("is found by a root that isn't its entries'", async () => {
    const log = copy();
    const wrong = leafHash(Buffer.from("another"));
    const head = { origin: log.origin, size: log.lines.length, root: wrong };
    log.write("checkpoint", signCheckpoint(head, log.signers));
    await expectMismatch(log, `The checkpoint's root ${wrong.toString("base64")} is not the root of its`);
    log.write("checkpoint", signCheckpoint({ ...head, size: head.size - 300 }, log.signers));
    await expectMismatch(log, /tile\/.* is missing|is not the root of/);
  });

  it("is found by files that are missing or too long", async () => {
    for (const file of ["checkpoint", "key", "tile/0/001", "tile/entries/001"]) {
      const log = copy();
      rmSync(path.join(log.folder, file));
      await expectMismatch(log, file.startsWith("tile") ? `${file} is missing.` : "There is no");
    }
    const log = copy();
    log.write("tile/0/001", Buffer.concat([log.read("tile/0/001"), Buffer.alloc(32)]));
    await expectMismatch(log, "tile/0/001 has 8224 bytes instead of 8192.");
  });

  it("may have full tiles in place of older partial ones", async () => {
    const log = copy();
    const checkpoint = log.read("checkpoint");
    await log.append(shopLife(1_500).entries.slice(life.entries.length));
    log.write("checkpoint", checkpoint);
    for (const file of ["0", "entries"]) rmSync(path.join(log.folder, `tile/${file}/002.p`), { recursive: true });
    expect(await verify(log)).toMatchObject({ code: 0 });
  });
});

describe("keys", () => {
  it("are those given, remembered, or the log's own", async () => {
    const log = copy();
    expect((await verify(log, "--key", log.keys[0]!)).text).not.toContain("as the log says");
    const [stranger] = new LogFolder(log.folder, log.origin).keys;
    await expectMismatch(log, "Not signed by a known key.", "--key", stranger!);
    const state = newState();
    expect((await run([log.folder], state)).code).toBe(0);
    // Another key of the same name, with a history that fits.
    log.signers = [newSigner(log.origin)];
    await log.append([{ type: "key", at: "2026-02-01T00:00:00Z", key: log.keys[0]! }]);
    expect((await run([log.folder], state)).text).toContain("Not signed by a known key.");
    // A given key is in place of the remembered ones, also when they signed.
    expect((await run([log.folder, "--key", log.keys[0]!], state)).code).toBe(0);
    expect((await run([log.folder, "--key", stranger!], state)).text).toContain("Not signed by a known key.");
  });

  it("can be changed while both sign", async () => {
    const log = copy();
    const state = newState();
    const [old, at] = [log.signers[0]!, "2026-02-01T00:00:00Z"];
    const next = newSigner(log.origin);
    expect((await run([log.folder], state)).code).toBe(0);
    log.signers = [old, next];
    await log.append([{ type: "key", at, key: log.keys[1]! }]);
    expect((await run([log.folder], state)).code).toBe(0);
    const retired = log.keys[0]!;
    log.signers = [next];
    await log.append([{ type: "key_retired", at, key: retired }]);
    expect(await run([log.folder], state)).toMatchObject({ code: 0 });
    await log.append([{ type: "key_retired", at, key: retired }]);
    expect((await run([log.folder], state)).text).toContain("a key ends that wasn't announced");
  });

  it("must be announced in the log, and have its name", async () => {
    const log = new LogFolder(path.join(temporaryFolder("log"), "log"));
    await log.append(log.opening().filter(({ type }) => type !== "key"));
    await expectMismatch(log, "The checkpoint is not signed by a key that the log announces.");
    log.signers = [newSigner("other.example.com/log")];
    await log.rewrite([...log.lines]);
    await expectMismatch(log, `Not signed by a key of ${log.origin}.`);
  });
});

describe("the rules of entries", () => {
  const at = "2026-01-05T00:00:00Z";
  const about = { at, kind: "review", item: "a".repeat(32) } as const;
  const received: Entry = { type: "received", ...about, stars: 2 };
  const decided = (type: "published" | "rejected" | "removed" | "restored" | "reopened"): Entry => ({
    type,
    ...about,
    by: "person",
  });
  const verifyEntries = async (...entries: Entry[]) => verify(await logOf(entries));

  it("let every right history pass", async () => {
    const states = [
      "published",
      "removed",
      "rejected",
      "restored",
      "reopened",
      "rejected",
      "reopened",
      "published",
    ] as const;
    const edited: Entry = { type: "edited", ...about, by: "author", fields: ["title"], stars: 3 };
    expect(await verifyEntries(received, ...states.map(decided), edited, { type: "erased", ...about })).toMatchObject({
      code: 0,
    });
    const appealed: Entry = { type: "appealed", ...about };
    const appeal = [received, decided("rejected"), appealed, decided("reopened"), decided("published")];
    expect(await verifyEntries(...appeal)).toMatchObject({ code: 0 });
    // A photo comes with its review.
    expect(await verifyEntries({ ...decided("removed"), kind: "photo" } as Entry)).toMatchObject({ code: 0 });
  });

  it.each<[string, string, Entry[]]>([
    ["never received", "Entry 3 (published, review a", [decided("published")]],
    ["received twice", "received or decided before", [received, received]],
    ["published twice", "the item was published", [received, decided("published"), decided("published")]],
    ["removed while pending", "the item was pending", [received, decided("removed")]],
    ["appealed while pending", "the item was pending", [received, { type: "appealed", ...about }]],
    ["restored while published", "the item was published", [received, decided("published"), decided("restored")]],
    ["decided once erased", "erased or deleted before", [received, { type: "erased", ...about }, decided("published")]],
    ["deleted twice", "before", [received, ...Array<Entry>(2).fill({ type: "deleted", ...about, by: "person" })]],
    ["another kind", "the item is a review", [received, { ...decided("published"), kind: "question" } as Entry]],
    ["begun twice", "Entry 3: the log began already", [{ type: "began", at }]],
  ])("find an item %s", async (_, message, entries) => {
    const { code, text } = await verifyEntries(...entries);
    expect(text).toContain(message);
    expect(code).toBe(1);
  });

  it("are lenient with items from before the log", async () => {
    const before = { ...about, at: "2025-12-31T23:59:59Z" };
    const old: Entry = { type: "removed", ...before, by: "person" };
    expect(await verifyEntries(old, decided("restored"))).toMatchObject({ code: 0 });
    expect((await verifyEntries(old, received)).text).toContain("received or decided before");
    expect((await verifyEntries({ type: "erased", ...before }, decided("restored"))).text).toContain("erased");
  });

  it("need the beginning first, and entries in their form", async () => {
    const log = copy();
    await log.rewrite(log.lines.slice(1));
    await expectMismatch(log, "Entry 0 is not the log's beginning: key.");
    await log.rewrite(honest.lines.with(400, honest.lines[400]!.replace("{", '{"name":"Ann",')));
    await expectMismatch(log, /Entry 400 in tile\/entries\/001 \(\w+\) has an unknown field "name"\./);
  });
});

describe("remembered heads", () => {
  const more = shopLife(4_000).entries.slice(life.entries.length);

  it("are those of the same log, longer each time", async () => {
    const log = copy();
    const state = newState();
    const verifyAgain = () => run([log.folder, "--state", state], newState());
    expect((await verifyAgain()).text).toContain("nothing was remembered");
    expect((await verifyAgain()).text).toContain("consistent with 1 remembered head\n");
    await log.append(more.slice(0, 100));
    expect((await verifyAgain()).text).toContain("consistent with 1 remembered head\n");
    expect(Object.values(JSON.parse(readFileSync(state, "utf8")))).toMatchObject([
      { heads: [log.read("checkpoint").toString()] },
    ]);
    const lines = [...log.lines];
    await log.rewrite(lines.slice(0, -1));
    expect((await verifyAgain()).text).toContain(
      `has become shorter: it has ${lines.length - 1} entries, and had ${lines.length}.`,
    );
    await log.rewrite(
      lines.with(
        -1,
        JSON.stringify({ type: "import", at: "2026-01-05T00:00:00Z", of: "reviews", created: 1, updated: 0 }),
      ),
    );
    const { code, text } = await verifyAgain();
    expect(text).toContain(
      `history was forked: its first ${lines.length} entries are not those of the checkpoint remembered`,
    );
    expect(code).toBe(1);
    await log.rewrite(lines);
    expect((await verifyAgain()).code).toBe(0);
  });

  it("show a witness of 50 heads where a history was forked", async () => {
    const log = copy();
    const state = newState();
    const witness = () => run([log.folder, "--witness"], state);
    for (let head = 0; head < 50; head++) {
      await log.append(more.slice(head * 37, (head + 1) * 37));
      const { code, text } = await witness();
      expect(text).toContain(head === 0 ? "nothing was remembered" : `consistent with ${head} remembered`);
      expect(code).toBe(0);
    }
    // An entry between two of the heads is changed afterwards.
    const sizeOf = (head: number) => honest.lines.length + head * 37;
    const changed = log.lines.findIndex((line, index) => index >= sizeOf(20) && line.includes('"reason":"spam"'));
    expect(changed).toBeLessThan(sizeOf(21));
    await log.rewrite(log.lines.with(changed, log.lines[changed]!.replace("spam", "other")));
    // To somebody who remembers nothing, it fits.
    expect((await verify(log)).code).toBe(0);
    const { code, text } = await witness();
    expect(text).toContain(`its first ${sizeOf(21)} entries are not those of the checkpoint remembered`);
    expect(text).toContain(`one of the entries ${sizeOf(20)} to ${sizeOf(21) - 1}.`);
    expect(text).toContain(`${log.origin}\n${sizeOf(21)}\n`); // the signed checkpoint, as proof
    expect(code).toBe(1);
  });

  it("find another name at the same address, and a damaged file", async () => {
    const log = copy();
    const state = newState();
    expect((await run([log.folder], state)).code).toBe(0);
    const renamed = new LogFolder(log.folder, "shop.example.com/honesty/new/log");
    await renamed.rewrite(renamed.opening().map((entry) => JSON.stringify(entry)));
    expect((await run([log.folder], state)).text).toContain(
      `calls itself ${renamed.origin}. It was ${log.origin} before.`,
    );
    log.write("state.json", "{");
    expect((await run([log.folder], path.join(log.folder, "state.json"))).text).toMatch(
      /^COULD NOT VERIFY: .* is not JSON/,
    );
  });
});

describe("a log on a server", () => {
  const servers: Server[] = [];
  afterEach(() => {
    for (const server of servers.splice(0)) server.close();
  });

  function* endless() {
    for (;;) yield Buffer.alloc(1024 * 1024);
  }

  /** Serves the honest log below a store's page, and its summaries; each file is refused once. */
  async function serve(counts: number[]): Promise<string> {
    const refused = new Set<string>();
    const server = createServer(({ url = "" }, response) => {
      const { pathname, searchParams } = new URL(url, "http://127.0.0.1");
      if (pathname.startsWith("/v1/summaries")) {
        if (searchParams.get("token") !== "secret") return response.writeHead(401).end();
        const isLast = searchParams.has("after");
        const dist = isLast ? counts.toSpliced(0, 1, 0) : [counts[0], 0, 0, 0, 0];
        const links = isLast ? {} : { next: "/v1/summaries?client_id=shop&after=2" };
        return response.end(JSON.stringify({ data: [{ your_score_dist: dist }], links }));
      }
      if (pathname === "/verifier.tgz") return response.end(readFileSync(packed));
      if (pathname === "/endless/checkpoint") return Readable.from(endless()).pipe(response);
      const file = pathname.replace("/honesty/shop/log/", "");
      if (file === pathname) return response.writeHead(404).end();
      if (file === "tile/0/001" && !refused.has(file)) {
        refused.add(file);
        return response.writeHead(503).end();
      }
      try {
        return response.end(honest.read(file));
      } catch {
        return response.writeHead(404).end();
      }
    });
    servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    return `http://127.0.0.1:${(server.address() as { port: number }).port}`;
  }

  it("is read from its address or its store's page", async () => {
    const host = await serve(life.published);
    for (const page of ["/honesty/shop", "/honesty/shop/?lang=sv", "/honesty/shop/log", "/honesty/shop/log/"])
      expect(await run([host + page], newState())).toMatchObject({ code: 0 });
    expect((await run([`${host}/nothing`], newState())).text).toContain("There is no checkpoint at");
    const elsewhere = await run([`${host}/honesty/shop`], newState());
    expect(elsewhere.text).toContain(`not named after its address, ${host}/honesty/shop/log`);
    const closed = await run(["http://127.0.0.1:9/log"], newState());
    expect(closed.text).toMatch(/^COULD NOT VERIFY: http:\/\/127\.0\.0\.1:9\/log\/checkpoint: /);
  }, 60_000);

  it("is not read on without end", async () => {
    const { code, text } = await run([`${await serve(life.published)}/endless`], newState());
    expect({ code, text }).toEqual({ code: 1, text: expect.stringContaining("is larger than 20971520 bytes") });
  });

  it("is verified by the package for npx", { timeout: 60_000 }, async () => {
    const host = await serve(life.published);
    const folder = temporaryFolder("npx");
    const { stdout } = await promisify(execFile)("npx", ["--yes", `${host}/verifier.tgz?v=1`, `${host}/honesty/shop`], {
      cwd: folder,
      env: { ...process.env, npm_config_cache: path.join(folder, "cache"), npm_config_update_notifier: "false" },
    });
    expect(stdout).toMatch(/^OK\n/);
    expect(existsSync(path.join(folder, "verify-state.json"))).toBe(true);
  });

  it("has as many published reviews as the API counts", async () => {
    const args = (host: string) => [
      `${host}/honesty/shop`,
      "--summaries",
      `${host}/v1/summaries?client_id=shop&token=secret`,
    ];
    expect(await run(args(await serve(life.published)), newState())).toMatchObject({ code: 0 });
    const [one = 0, ...others] = life.published;
    const { text } = await run(args(await serve([one - 1, ...others])), newState());
    expect(text).toContain(`counts ${one - 1} published reviews with 1 stars, the log ${one}.`);
    expect(text).not.toContain("secret");
  });
});
