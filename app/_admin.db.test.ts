import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { runCommand } from "@/app/_admin-commands";
import { pool } from "@/lib/platform/db/pool";
import { enqueue } from "@/lib/platform/jobs/outbox/enqueue";
import { CommerceFake, commerceKeys } from "@/lib/tools/fakes/commerce";
import { sampleShop } from "@/lib/tools/fakes/commerce-shop";
import { root } from "@/lib/tools/launch/bootstrap.mjs";
import { aClient, anOrder, rowsOf, someReviews, uniqueName } from "@/lib/tools/test/factories";
import { type CommandOutput, captureAdmin, startAdmin } from "@/lib/tools/test/program";
import { temporaryFolder } from "@/lib/tools/test/temporary-folder";

// Runs the admin command and checks its output and exit status: as a process where that matters, else in this one.

type Run = (args: string[], input?: string) => Promise<CommandOutput>;
/** Runs the command with `input` as its standard input. */
const asProcess: Run = (args, input = "") => startAdmin(args, { input }).printed;
const admin: Run = (args, input) => captureAdmin(runCommand, args, { input });

/** Output with --json: exactly one JSON value. */
async function adminJson(args: string[], input?: string, run = admin) {
  const { out, err, status } = await run([...args, "--json"], input);
  expect({ status, err }).toEqual({ status: 0, err: "" });
  expect(out.trimEnd()).not.toContain("\n");
  return JSON.parse(out);
}

describe("the admin command", () => {
  it("creates an account, a client, a key and a user", async () => {
    const account = await adminJson(["account", "create", "--name", "Lanterna Ltd"]);
    expect(account).toEqual({ id: expect.any(String), name: "Lanterna Ltd" });
    const id = uniqueName("shop");
    const settings = ["send_limit=5", "quarantine_period=null", "display_name=12", 'config={"time_zone":"Asia/Tokyo"}'];
    const set = settings.flatMap((pair) => ["--set", pair]);
    const client = await adminJson(["client", "create", "--id", id, "--account", account.id, ...set]);
    expect(client).toMatchObject({
      id,
      account_name: "Lanterna Ltd",
      send_limit: 5,
      quarantine_period: null,
      display_name: "12",
      config: { time_zone: "Asia/Tokyo" },
      public_key: expect.stringMatching(/^pk_[0-9a-f]{32}$/),
    });
    const key = await adminJson(["key", "create", "--client", id, "--scope", "read"]);
    expect(key).toEqual({ id: expect.any(String), secret: expect.stringMatching(/^sk_[0-9a-f]{48}$/), clients: [id] });
    const username = uniqueName("anna");
    const user = ["user", "create", "--username", username, "--role", "admin", "--client", id, "--password-stdin"];
    expect(await adminJson(user, "a long password\n", asProcess)).toEqual({ username, password: "a long password" });
  });

  it("connects a store, tests the connection, imports its orders and reports the result", async () => {
    const fake = new CommerceFake(sampleShop(), { forbidden: ["shipments"] });
    const address = await fake.listen();
    process.env.ALLOW_PRIVATE_URLS = "true";
    try {
      const { id } = await aClient();
      const connect = ["integration", "set", "commerce", "--client", id, "--secrets-stdin"];
      const keys = JSON.stringify(commerceKeys);
      const wrong = await admin([...connect, "--set", "auth=oauth1", `orders_url=${address}`, "page_size=0"], keys);
      expect(wrong).toMatchObject({ status: 1, err: expect.stringMatching(/page_size/) });
      const integration = await adminJson(
        [...connect, "--set", "auth=oauth1", `orders_url=${address}`, "store_ids=1,2", "requests_per_second=20"],
        keys,
      );
      expect(integration).toMatchObject({
        kind: "commerce",
        state: "active",
        settings: { orders_url: address, store_ids: [1, 2] },
        secrets: expect.arrayContaining(["consumer_key", "token_secret"]),
      });
      const about = ["commerce", "--client", id];
      expect(await adminJson(["integration", "test", ...about])).toMatchObject({ ok: true });
      expect(await adminJson(["integration", "sync", ...about])).toMatchObject({
        outcome: "done",
        counts: { imported: 16, waiting: 1, failed: 1 },
      });
      expect(await adminJson(["integration", "log", ...about, "--outcome", "failed"])).toMatchObject([
        { kind: "order_refused", subject: "2000000001", reason: expect.stringMatching(/same number/) },
      ]);
      const changed = await adminJson(["integration", "set", ...about, "--set", "order_id=entity_id"]);
      expect(changed.settings).toMatchObject({ order_id: "entity_id", store_ids: [1, 2] });
    } finally {
      process.env.ALLOW_PRIVATE_URLS = "false";
      await fake.close();
    }
  }, 60_000);

  it("simulates, counts and tests a client's invitations", { timeout: 60_000 }, async () => {
    const { client } = await aClient({ display_name: "Lanterna" });
    await anOrder(client.id, { items: [{ id: "lamp", name: "Lamp", delivery_date: "2026-05-01" }] });
    const clientArgs = ["--client", client.id];
    const set = ["--set", "send_limit=0", "--now", "2026-05-20T12:00:00Z"];
    const simulation = await adminJson(["invitations", "simulate", ...clientArgs, "--days", "30", ...set]);
    expect(simulation).toMatchObject({ items: 1, present: { mails: 1 }, changed: { mails: 0 } });
    const funnel = await adminJson(["invitations", "funnel", ...clientArgs, "--from", "0001-01-01"]);
    expect(funnel).toMatchObject({ total: { planned: 0, sent: 0 }, days: [], products: [] });
    // As a process, which must end although the template was rendered in a thread.
    const preview = await adminJson(["mail", "preview", ...clientArgs, "--kind", "seller"], "", asProcess);
    expect(preview.subject).toBe("How was Lanterna?");
    const to = `${uniqueName("me")}@shop.example`;
    const { mail_id, state } = await adminJson(["mail", "test", ...clientArgs, "--to", to]);
    expect(state).toBe("kept");
    expect(await adminJson(["mail", "show", mail_id])).toMatchObject({
      to,
      subject: expect.stringMatching(/^\[Test\] /),
    });
    // The list has one line per email. Control characters in an email must not reach the terminal.
    const updateSql = "update mails set subject = $2::text, html = html || $2::text where id = $1";
    await rowsOf(updateSql, [mail_id, "Hi \u001b[2J\u0007 Ada"]);
    const listed = await admin(["mail", "list", "--to", to]);
    expect(listed).toMatchObject({ status: 0, err: "" });
    const line = new RegExp(`^${mail_id}  20\\d\\d-\\S+Z  ${to}  Hi  \\[2J  Ada\nShow one with: mail show <id>\n$`);
    expect(listed.out).toMatch(line);
    const [shown, page] = [await admin(["mail", "show", mail_id]), await admin(["mail", "show", mail_id, "--html"])];
    expect(shown.out).toMatch(new RegExp(`^From: .*\nTo: ${to}\nSubject: Hi  \\[2J  Ada\nDate: .*\n\n.+`, "s"));
    expect(shown.out).not.toContain("<html");
    expect(page.out).toContain("<html");
    expect(page.out).toContain("Hi  [2J  Ada");
    expect((await admin(["mail", "list", "--to", "nobody@shop.example"])).out).toBe("No stored emails.\n");
    const wrong = await admin(["invitations", "simulate", ...clientArgs, "--set", "send_limit=-1"]);
    expect(wrong.status).toBe(1);
    expect(wrong.err.trim().split("\n")).toHaveLength(1);
  });

  it("creates and lists a webhook and its deliveries", { timeout: 60_000 }, async () => {
    const { id } = await aClient();
    const named = ["--client", id];
    const made = await adminJson([
      "webhook",
      "create",
      ...named,
      "--url",
      "https://hooks.invalid/in?t=1",
      "--event",
      "review.deleted",
    ]);
    expect(made).toEqual({ id: expect.stringMatching(/^wh_/), secret: expect.stringMatching(/^whsec_/) });
    const list = await adminJson(["webhook", "list", ...named]);
    expect(list).toMatchObject([{ id: made.id, events: ["review.deleted"], disabled_at: null, waiting: 0 }]);
    expect(JSON.stringify(list)).not.toContain(made.secret);
    expect(await adminJson(["webhook", "list"])).toContainEqual(list[0]);
    await enqueue(pool(), [{ name: "review/deleted", data: { client_id: id, review_id: "a" } }]);
    expect(await adminJson(["webhook", "log", ...named, "--webhook", made.id])).toMatchObject([
      { webhook_id: made.id, event: "review.deleted", subject: "a", state: "pending" },
    ]);
    const attempt = { at: "2026-02-01T10:00:00.000Z", duration_ms: 812, status: 500, error: "No.", answer: "not\nnow" };
    await rowsOf("update webhook_deliveries set attempt_log = $2 where client_id = $1", [
      id,
      JSON.stringify([attempt]),
    ]);
    expect((await adminJson(["webhook", "log", ...named]))[0].attempt_log).toEqual([attempt]);
    expect((await admin(["webhook", "log", ...named])).out).toContain(
      "\n  2026-02-01T10:00:00.000Z  500  812 ms  not now\n",
    );
    const rotated = await adminJson(["webhook", "rotate", made.id, ...named]);
    expect(rotated).toEqual({
      id: made.id,
      secret: expect.stringMatching(/^whsec_/),
      old_secret_until: expect.stringMatching(/Z$/),
    });
    expect(rotated.secret).not.toBe(made.secret);
    const foreign = await admin(["webhook", "rotate", made.id, "--client", (await aClient()).id]);
    expect([foreign.status, foreign.err.trim().split("\n").length]).toEqual([1, 1]);
    const { status, err } = await admin([
      "webhook",
      "create",
      ...named,
      "--url",
      "https://10.0.0.1/",
      "--event",
      "nonsense",
    ]);
    expect([status, err]).toEqual([1, expect.stringContaining("events")]);
  });

  it("imports external totals", async () => {
    const folder = temporaryFolder("totals");
    const id = uniqueName("shop");
    await adminJson(["client", "create", "--id", id]);
    const file = path.join(folder, "totals.csv");
    await writeFile(file, "product_id,source,kind,count,score_dist\na,x,pro,1,0 0 0 0 1\na,x,none,1,\n");
    const { out, err, status } = await admin(["externals", "import", file, "--client", id, "--json"]);
    expect({ status, err }).toEqual({ status: 0, err: expect.stringContaining("2 rows read") });
    expect(JSON.parse(out)).toMatchObject({
      read: 2,
      created: 1,
      updated: 0,
      unchanged: 0,
      deleted: 0,
      rejected: [{ row: 2, reason: "kind_invalid" }],
    });
  });

  it("imports an order feed", async () => {
    const { id } = await aClient();
    const file = path.join(root, "lib/feeds/fixtures/lanterna-orders.xml");
    const dryRun = await admin(["orders", "import", file, "--client", id, "--dry-run", "--json"]);
    expect(await rowsOf("select from orders where client_id = $1", [id])).toEqual([]);
    const { out, err, status } = await admin(["orders", "import", file, "--client", id, "--json"]);
    expect({ out, status }).toEqual({ out: dryRun.out, status: 0 });
    expect(err).toContain("2 of 2 rows done");
    expect(JSON.parse(out)).toMatchObject({ read: 2, created: 2, updated: 0, unchanged: 0, deleted: 0, rejected: [] });
  });

  it("exports reviews to standard output or a file, and imports them, reporting progress separately", async () => {
    const { id } = await aClient();
    const other = await aClient();
    await someReviews(id, [{ external_id: "a", accepted: true }, { score: 2 }]);
    const { out, err, status } = await asProcess(["reviews", "export", "--client", id]);
    expect({ err, status }).toEqual({ err: "", status: 0 });
    expect(
      out
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line).score)
        .sort(),
    ).toEqual([2, 5]);

    const folder = temporaryFolder("admin");
    const file = path.join(folder, "reviews.csv");
    const written = await admin(["reviews", "export", "--client", id, "--format", "csv", "--output", file, "--json"]);
    expect(JSON.parse(written.out)).toEqual({ file, rows: 2, images: 0, missing: [] });
    const dryRun = await admin(["reviews", "import", file, "--client", other.id, "--dry-run", "--json"]);
    const imported = await asProcess(["reviews", "import", file, "--client", other.id, "--json"]);
    expect(imported).toMatchObject({
      status: 0,
      out: dryRun.out,
      err: expect.stringContaining("2 of 2 rows done"),
    });
    expect(JSON.parse(imported.out)).toMatchObject({ read: 2, created: 2, deleted: 0, rejected: [] });
    expect((await admin(["reviews", "export", "--client", other.id])).out).toBe(out);
  });

  it("creates, lists and revokes keys", async () => {
    const [first, second] = [(await aClient()).id, (await aClient()).id].sort() as [string, string];
    const create = ["key", "create", "--client", second, "--client", first, "--client", first, "--name", "Stock"];
    const made = await adminJson([...create, "--scope", "read", "--scope", "privacy"]);
    expect(made).toEqual({ id: expect.any(String), secret: expect.any(String), clients: [first, second] });
    const listed = async () => (await adminJson(["key", "list"])).find((key: { id: string }) => key.id === made.id);
    const line = {
      id: made.id,
      name: "Stock",
      prefix: made.secret.slice(0, 9),
      scopes: ["read", "privacy"],
      clients: [first, second],
      created_at: expect.any(String),
      last_used_at: null,
      revoked_at: null,
    };
    expect(await listed()).toEqual(line);
    const people = (await admin(["key", "list"])).out;
    expect(people.split("\n")).toContain(
      `${made.id}  ${line.prefix}…  read,privacy  ${first},${second}  never used  Stock`,
    );
    expect(people).not.toContain(made.secret);
    expect(await adminJson(["key", "revoke", made.id])).toEqual({ id: made.id, revoked: true });
    expect(await listed()).toEqual({ ...line, revoked_at: expect.stringMatching(/^\d{4}-/) });
    expect(await admin(["key", "revoke", "key_none"])).toMatchObject({ status: 1, out: "" });
  });

  it("checks a page of a hosted service, and exits with 1 if something won't work", async () => {
    const { id } = await aClient();
    let html = "";
    let status = 200;
    const server = createServer((_, response) =>
      response.writeHead(status, { "Content-Security-Policy": "img-src https:, connect-src *" }).end(html),
    ).listen(0, "127.0.0.1");
    await once(server, "listening");
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/lamp`;
    process.env.ALLOW_PRIVATE_URLS = "true";
    try {
      const script = `<script src="//js.old.example/onpage/${id}/head.js"></script>`;
      html = `${script}\n<div id="testfreaks-badge"></div>\n<div id="testfreaks-videos-a\u001b"></div>
<div id="testfreaks-qa-top"></div>`;
      const lines = [
        url,
        expect.stringMatching(/^FAIL {2}-: Content-Security-Policy: Blocks Candor: add http:\S+ to img-src\.$/),
        "ok    -: Content-Security-Policy: Allows Candor.",
        expect.stringMatching(/^ok {4}1: script \S+head\.js: Change the host to http:\S+\.$/),
        "ok    2: container testfreaks-badge: Shows the badge.",
        "FAIL  3: container testfreaks-videos-a : Candor has no videos. The container stays empty.",
        expect.stringMatching(/^note {2}4: container testfreaks-qa-top: Can't be checked here: no command top\.load/),
      ];
      const printed = await admin(["migrate-check", url, "--client", id]);
      expect({ ...printed, out: printed.out.trimEnd().split("\n") }).toEqual({ out: lines, err: "", status: 1 });

      html = script.replace("<script", '<meta http-equiv="Content-Security-Policy" content=""><script');
      const json = await admin(["migrate-check", url, "--json"]);
      expect(json.status).toBe(1);
      expect(JSON.parse(json.out)).toMatchObject({ url, works: false, findings: { length: 4 } });

      html = `<script src="//js.old.example/onpage/${id}/head.js?\nok    8: a"></script>
<div id="testfreaks-seller" data-mode="x\u2028\r\n\tok    9: b"></div>`;
      const attributes = (await admin(["migrate-check", url])).out.trimEnd().split(/[\n\r\u2028]/);
      expect(attributes.slice(2)).toEqual([
        "ok    -: Content-Security-Policy: Allows Candor.",
        expect.stringMatching(/^ok {4}1: script \S+head\.js\? ok 8: a: Change the host/),
        expect.stringMatching(/^FAIL {2}3: container testfreaks-seller: Candor doesn't have the mode x ok 9: b and/),
      ]);

      status = 503;
      expect(await admin(["migrate-check", url])).toMatchObject({
        status: 1,
        out: "",
        err: expect.stringMatching(/503/),
      });
    } finally {
      process.env.ALLOW_PRIVATE_URLS = "false";
    }
    // A public server must not read the network that it is in.
    expect(await admin(["migrate-check", url])).toMatchObject({
      status: 1,
      out: "",
      err: expect.stringMatching(/127/),
    });
    server.close();
    expect((await admin(["migrate-check", "lamp"])).status).toBe(1);
  });

  it("prints an issue in one line, exits with 1 and changes nothing", async () => {
    const id = uniqueName("shop");
    const wrongSettings = ["client", "create", "--id", id, "--set", "send_limit=-1", "--set", "colour=red"];
    for (const [args, line, run = admin] of [
      [wrongSettings, "colour isn’t a setting", asProcess],
      [["client", "show", "nobody"], "Store nobody doesn’t exist."],
      [["key", "create", "--client", "nobody"], "Store nobody doesn’t exist."],
      [["products", "import", "/no/such/file", "--client", "nobody"], "doesn’t exist."],
      [["reviews", "import", "/no/such/file", "--client", "nobody"], "/no/such/file doesn’t exist."],
      [["reviews", "export", "--client", "nobody", "--output", "/tmp/x"], "Store nobody doesn’t exist."],
    ] as const) {
      const { out, err, status } = await run([...args, "--json"]);
      expect({ out, status }).toEqual({ out: "", status: 1 });
      expect(err.trim().split("\n")).toHaveLength(1);
      expect(err).toContain(line);
    }
    expect(await rowsOf("select from clients where id = $1", [id])).toEqual([]);
  });

  it("exits with 2 for wrong usage", async () => {
    const wrong = [
      ["nonsense"],
      ["client", "creat"],
      ["client"],
      ["clients"],
      ["client", "create"],
      ["key", "create", "--client", "x", "--scope", "all"],
      ["user", "create", "--username", "x", "--role", "king"],
      ["reviews", "export", "--client", "x", "--json"],
      ["reviews", "import", "x", "--client", "x", "--format", "pdf"],
      ["jobs", "list", "--limit", "many"],
      ["jobs", "list", "--limit", "0"],
      ["externals", "import", "x.csv"],
      ["externals", "import", "x.xml", "--client", "x", "--format", "xml"],
    ];
    for (const args of wrong) {
      const { out, err, status } = await (args === wrong[0] ? asProcess : admin)(args);
      expect({ args, out, status }).toEqual({ args, out: "", status: 2 });
      expect(err).toMatch(/^error: .+\n$/);
    }
    expect(await admin(["client", "--help"])).toMatchObject({ status: 0, out: expect.stringContaining("Usage:") });
  });
}, 60_000);
