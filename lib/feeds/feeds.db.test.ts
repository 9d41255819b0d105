import { mkdir, rename, rmdir } from "node:fs/promises";
import http from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { gzipSync } from "node:zlib";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import * as uploadImport from "@/app/portal/api/v1/feed_uploads/[id]/import/route";
import * as uploadPart from "@/app/portal/api/v1/feed_uploads/[id]/parts/[part]/route";
import * as uploads from "@/app/portal/api/v1/feed_uploads/route";
import * as one from "@/app/portal/api/v1/feeds/[id]/route";
import * as run from "@/app/portal/api/v1/feeds/[id]/run/route";
import * as feeds from "@/app/portal/api/v1/feeds/route";
import { feedState, importState } from "@/components/feeds/labels";
import { functions } from "@/inngest";
import { inngest } from "@/inngest/client";
import { systemActor } from "@/lib/accounts/actor";
import { nextRun } from "@/lib/feeds/feed-rows";
import { importLane } from "@/lib/feeds/import-lane";
import { purgeImports } from "@/lib/feeds/import-records";
import { getImport, listFeeds, listImports } from "@/lib/feeds/list-imports";
import { listDueFeeds, runFeed } from "@/lib/feeds/run-feed";
import { importUpload, purgeUploads } from "@/lib/feeds/upload-feed";
import { withNow } from "@/lib/platform/clock";
import { env } from "@/lib/platform/env";
import { english } from "@/lib/platform/i18n/english";
import { readJobs } from "@/lib/platform/jobs/functions";
import { runJobNow } from "@/lib/platform/jobs/run-job-now";
import { fetchFeed } from "@/lib/platform/parsing/fetch-file";
import { readFile } from "@/lib/platform/storage/files";
import { erasePersonalData } from "@/lib/privacy/erase-personal-data";
import { call } from "@/lib/tools/test/call";
import {
  aClient,
  aUser,
  hashDatabase,
  notificationsOf,
  rowsOf,
  sessionHeaders,
  type TestClient,
} from "@/lib/tools/test/factories";
import { expectError, expectIssues } from "@/lib/tools/test/lists";
import { withSettings } from "@/lib/tools/test/with-settings";

/** Treats addresses of the test server as public ones. */
const network = {
  resolve: async () => [{ address: "127.0.0.1", family: 4 }],
  allows: (ip: string) => ip === "127.0.0.1",
};

let shop: TestClient;
let headers: Record<string, string>;
let server: http.Server;
let origin: string;
/** The store server's response, and the requests it received. */
let answer: (request: http.IncomingMessage, response: http.ServerResponse) => void;
let receivedHeaders: http.IncomingHttpHeaders[];

const csv = (...ids: string[]) =>
  `id,title,link\n${ids.map((id) => `${id},Lamp ${id},https://shop.example/${id}\n`).join("")}`;
const serveText = (text: string, more: Record<string, string> = {}) => {
  answer = (_, response) => response.writeHead(200, { "content-type": "text/csv", ...more }).end(text);
};

beforeEach(async () => {
  shop = await aClient();
  headers = await sessionHeaders(await aUser("admin", { clients: [shop.id] }));
  receivedHeaders = [];
  server = http.createServer((request, response) => {
    receivedHeaders.push(request.headers);
    answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  origin = `http://shop.test:${(server.address() as AddressInfo).port}`;
});
afterEach(() => {
  server.close();
  server.closeAllConnections();
});

const settings = (more: object = {}) => ({
  ...{ url: `${origin}/products.csv`, format: null, schedule: "daily", enabled: true, mapping: {} },
  ...more,
});
const at = (path: string, client = shop.id) => `/portal/api/v1/${path}?client_id=${client}`;
const create = (more: object = {}, sent = headers) =>
  call(feeds, "POST", at("feeds"), { body: { kind: "products", ...settings(more) }, headers: sent });
const aFeed = async (more: object = {}) => {
  const created = await create(more);
  expect(created.status).toBe(201);
  return created.json.data as { id: string; url: string; hidden: boolean };
};
const runNow = (id: string, more = {}) => runFeed(shop.id, id, { requested: true, network, ...more });
const products = async () =>
  (await rowsOf("select id, deleted from products where client_id = $1 order by id", [shop.id])).map(
    ({ id, deleted }) => (deleted ? `-${id}` : id),
  );
const feedNow = async () => (await listFeeds(shop.client))[0]!;

describe("feed settings", () => {
  it("are saved with a sealed URL, returned without its secret parts, and recorded in the audit", async () => {
    const feed = await aFeed({ url: "https://bob:s3cret@shop.example/feed.xml?key=k3y" });
    expect(feed).toMatchObject({
      url: "https://shop.example/feed.xml",
      hidden: true,
      under_way: true,
      last_outcome: null,
    });
    const everything = JSON.stringify([
      await rowsOf("select *, encode(sealed_url, 'escape') as sealed from feeds"),
      await rowsOf("select * from audit_entries where client_id = $1", [shop.id]),
      await rowsOf("select data from outbox where client_id = $1", [shop.id]),
    ]);
    for (const secret of ["s3cret", "k3y", "bob"]) expect(everything).not.toContain(secret);
    expect(await rowsOf("select action, subject from audit_entries where client_id = $1", [shop.id])).toEqual([
      { action: "feed.created", subject: feed.id },
    ]);
    // The URL as displayed keeps its hidden part; a different URL doesn't.
    const change = (more: object) => call(one, "PUT", at(`feeds/${feed.id}`), { body: settings(more), headers });
    expect((await change({ url: feed.url, schedule: "hourly" })).json.data).toMatchObject({
      hidden: true,
      schedule: "hourly",
    });
    expect((await change({ url: "https://shop.example/other.xml" })).json.data).toMatchObject({ hidden: false });
    expect((await call(one, "DELETE", at(`feeds/${feed.id}`), { headers })).status).toBe(204);
    expect(await listFeeds(shop.client)).toEqual([]);
  });

  it("are returned even if the URL can't be unsealed, which then has to be entered again", async () => {
    const feed = await aFeed({ url: "https://shop.example/feed.csv?key=k3y" });
    await rowsOf(
      "update feeds set sealed_url = set_byte(sealed_url, 40, get_byte(sealed_url, 40) # 1), asked_at = null",
    );
    expect(await listFeeds(shop.client)).toMatchObject([
      { url: "https://shop.example/feed.csv", hidden: false, address_lost: true },
    ]);
    expect(await runNow(feed.id)).toEqual({ outcome: "refused" });
    expect(await feedNow()).toMatchObject({
      last_outcome: "refused",
      last_error: "The saved URL can’t be decrypted. Enter it again.",
    });
    serveText(csv("a"));
    const changed = await call(one, "PUT", at(`feeds/${feed.id}`), { body: settings(), headers });
    expect(changed.json.data).toMatchObject({ address_lost: false });
    expect(await runNow(feed.id)).toMatchObject({ outcome: "imported" });
    expect(await products()).toEqual(["a"]);
  });

  it("return every validation error, and reject users without permission", async () => {
    const before = await hashDatabase();
    expectIssues(
      await create({
        url: "ftp://shop.example/x",
        schedule: "often",
        format: "pdf",
        enabled: 1,
        mapping: { "": "id" },
      }),
      422,
      [
        "enabled invalid_field",
        "format invalid_field",
        "mapping. invalid_field",
        "schedule invalid_field",
        "url invalid_field",
      ],
    );
    for (const role of ["viewer", "moderator"] as const)
      expectError(await create({}, await sessionHeaders(await aUser(role, { clients: [shop.id] }))), 403, "forbidden");
    const other = await aClient();
    expectError(
      await call(feeds, "POST", at("feeds", other.id), { body: { kind: "products", ...settings() }, headers }),
      403,
      "client_forbidden",
    );
    expect((await rowsOf("select 1 from feeds where client_id = $1", [shop.id])).length).toBe(0);
    expect(before).not.toBe("");
    const feed = await aFeed();
    const stranger = await sessionHeaders(await aUser("admin", { clients: [other.id] }));
    for (const [route, method, path] of [
      [one, "PUT", `feeds/${feed.id}`],
      [one, "DELETE", `feeds/${feed.id}`],
      [run, "POST", `feeds/${feed.id}/run`],
    ] as const)
      expectError(
        await call(route, method, at(path, other.id), {
          headers: stranger,
          ...(method !== "DELETE" && { body: method === "PUT" ? settings() : {} }),
        }),
        404,
        "not_found",
      );
  });
});

describe("fetching a feed", () => {
  it("imports it and sends validators of the last response", async () => {
    const feed = await aFeed();
    answer = (request, response) => {
      if (request.headers["if-none-match"] === '"v1"') response.writeHead(304).end();
      else
        response
          .writeHead(200, { etag: '"v1"', "last-modified": "Sat, 21 Nov 2026 10:00:00 GMT" })
          .end(gzipSync(csv("a", "b")));
    };
    expect(await runNow(feed.id)).toMatchObject({ outcome: "imported" });
    expect(await products()).toEqual(["a", "b"]);
    expect(await feedNow()).toMatchObject({ last_outcome: "imported", last_error: null, under_way: false });
    expect(await runNow(feed.id)).toEqual({ outcome: "unchanged" });
    expect(receivedHeaders[1]).toMatchObject({
      "if-none-match": '"v1"',
      "if-modified-since": "Sat, 21 Nov 2026 10:00:00 GMT",
    });
    expect(await feedNow()).toMatchObject({ last_outcome: "unchanged" });
    const { imports } = await listImports(shop.client);
    expect(imports).toEqual([
      expect.objectContaining({
        feed_id: feed.id,
        status: "done",
        read: 2,
        created: 2,
        source: `${origin}/products.csv`,
      }),
    ]);
    // Saving the same URL again seals it differently, but keeps the validators of the last response.
    const again = { body: settings({ schedule: "hourly" }), headers };
    expect((await call(one, "PUT", at(`feeds/${feed.id}`), again)).status).toBe(200);
    expect(await runNow(feed.id)).toEqual({ outcome: "unchanged" });
    expect(receivedHeaders[2]).toMatchObject({ "if-none-match": '"v1"' });
    // With a different format it is imported again whatever the server says.
    await call(one, "PUT", at(`feeds/${feed.id}`), { body: settings({ format: "csv" }), headers });
    expect(await runNow(feed.id)).toMatchObject({ outcome: "imported" });
    expect(receivedHeaders[3]).not.toHaveProperty("if-none-match");
  });

  it("uses the encoding the server names, and reports it", async () => {
    const feed = await aFeed();
    answer = (_, response) =>
      response
        .writeHead(200, { "content-type": "text/csv; charset=windows-1254" })
        .end(Buffer.from("id,title\n1,I\xfe\xfdk\n", "latin1"));
    const { import_id } = await runNow(feed.id);
    expect(await rowsOf("select name from products where client_id = $1", [shop.id])).toEqual([{ name: "Işık" }]);
    expect(await getImport(shop.client, import_id!)).toMatchObject({ report: { encoding: "windows-1254" } });
  });

  it("keeps the number of rejected rows while the feed is unchanged or can't be fetched", async () => {
    const feed = await aFeed();
    const feedSummary = async () => {
      const { last_outcome, last_read, last_rejected } = await feedNow();
      return [last_outcome, last_read, last_rejected, english(feedState(await feedNow()).word)];
    };
    /** The state of the report the feed links to. */
    const reported = async () => {
      const { last_import } = await feedNow();
      return last_import && english(importState(await getImport(shop.client, last_import)).word);
    };
    expect(await reported()).toBeNull();
    expect(await feedSummary()).toEqual([null, null, null, "Fetching…"]);
    answer = (request, response) => {
      if (request.headers["if-none-match"] === '"v1"') response.writeHead(304).end();
      else
        response
          .writeHead(200, { "content-type": "text/csv", etag: '"v1"' })
          .end(`${csv("a")},Without an id,https://shop.example/b\n,Nor this,https://shop.example/c\n`);
    };
    expect(await runNow(feed.id)).toMatchObject({ outcome: "imported" });
    expect(await feedSummary()).toEqual(["imported", 3, 2, "Most rows skipped"]);
    expect(await reported()).toBe("Most rows skipped");
    expect(await runNow(feed.id)).toEqual({ outcome: "unchanged" });
    expect(await feedSummary()).toEqual(["unchanged", 3, 2, "Most rows skipped"]);
    answer = (_, response) => response.writeHead(500).end();
    expect(await runNow(feed.id)).toEqual({ outcome: "failed" });
    expect(await feedSummary()).toEqual(["failed", 3, 2, "Failed"]);
    expect(await reported()).toBe("Most rows skipped");
    serveText(`${csv("a", "b")},Without an id,https://shop.example/c\n`);
    expect(await runNow(feed.id)).toMatchObject({ outcome: "imported" });
    expect(await feedSummary()).toEqual(["imported", 3, 1, "Up to date"]);
    expect(await reported()).toBe("Completed");
  });

  it("sends user and password, and imports orders too", async () => {
    const url = origin.replace("http://", "http://bob:p%40ss@");
    const feed = await aFeed({ kind: "orders", url: `${url}/orders.json?key=1` });
    serveText(
      JSON.stringify([
        {
          order_id: "O-1",
          customer_id: "C-1",
          customer_email: "ada@mail.example",
          items: [{ sku: "a", delivery_date: "2026-11-01" }],
        },
      ]),
    );
    expect(await runNow(feed.id)).toEqual({ outcome: "imported" });
    expect(receivedHeaders[0]?.authorization).toBe(`Basic ${Buffer.from("bob:p@ss").toString("base64")}`);
    expect(await rowsOf("select id from orders where client_id = $1", [shop.id])).toEqual([{ id: "O-1" }]);
    expect(JSON.stringify((await listImports(shop.client)).imports)).not.toMatch(/p@ss|p%40ss|key=1|ada@/);
  });

  it("reports errors, changes nothing, and retries soon after a server error", async () => {
    const feed = await aFeed();
    const state = async () => {
      const { last_outcome, last_error } = await feedNow();
      return [last_outcome, last_error];
    };
    const hoursToNext = async () => {
      const [row] = await rowsOf(
        "select extract(epoch from next_run_at - now()) / 3600 as hours from feeds where client_id = $1",
        [shop.id],
      );
      return Math.round(Number(row.hours));
    };
    answer = (_, response) => response.writeHead(500).end("oops");
    expect(await runNow(feed.id)).toEqual({ outcome: "failed" });
    expect(await state()).toEqual(["failed", `${origin}/products.csv responded with status 500.`]);
    expect(await hoursToNext()).toBe(1);
    answer = (_, response) => response.writeHead(404).end();
    expect(await runNow(feed.id)).toEqual({ outcome: "refused" });
    serveText("<html><body>Sign in</body></html>");
    expect(await runNow(feed.id)).toEqual({ outcome: "refused" });
    // A truncated feed is no reason to delete the missing products.
    answer = (_, response) => {
      response.writeHead(200, { "content-length": "5000" });
      response.write(csv("a"));
      setTimeout(() => response.destroy(), 50);
    };
    expect(await runNow(feed.id)).toEqual({ outcome: "failed" });
    expect(await products()).toEqual([]);
    const { imports } = await listImports(shop.client);
    expect(imports.map(({ status }) => status)).toEqual(["failed", "refused", "refused", "failed"]);
  });

  it("notify admins when they start failing, once until they work again", async () => {
    const { id } = await aFeed();
    const failures = async () =>
      (await notificationsOf(shop.id)).map(({ kind, params, count }) => [kind, params, count]);
    const read = () => rowsOf("update notifications set read_at = now() where client_id = $1", [shop.id]);
    const failed = (count: number) => ["feed_failed", { url: `${origin}/products.csv` }, count];
    serveText(csv("a"));
    await runNow(id);
    expect(await failures()).toEqual([]);
    answer = (_, response) => response.writeHead(500).end("oops");
    await runNow(id);
    await runNow(id);
    expect(await failures()).toEqual([failed(2)]);
    await read();
    await runNow(id);
    expect(await failures()).toEqual([failed(2)]);
    serveText(csv("a", "b"));
    await runNow(id);
    answer = (_, response) => response.writeHead(404).end();
    await Promise.all([runNow(id), runNow(id)]);
    expect(await failures()).toEqual([failed(2), failed(2)]);
    await read();
    // A disabled feed that a person runs shows its result to that person.
    await rowsOf("update feeds set enabled = false, last_outcome = null where client_id = $1", [shop.id]);
    await runNow(id);
    expect(await failures()).toHaveLength(2);
  });

  it("gives up on a server that only trickles, and waits for a slow but steady one", async () => {
    const rest = csv(...Array.from({ length: 2_000 }, (_, n) => `p${n}`));
    answer = (_, response) => {
      response.writeHead(200, { "content-type": "text/csv" });
      const drops = setInterval(() => response.write("x"), 20);
      response.on("close", () => clearInterval(drops));
    };
    const read = async () => {
      const fetched = await fetchFeed(`${origin}/products.csv`, {}, { network, patience: 300 });
      if (fetched.notModified) throw new Error("It was not asked for that.");
      let bytes = 0;
      for await (const piece of fetched.body) bytes += piece.length;
      return bytes;
    };
    await expect(read()).rejects.toMatchObject({
      code: "unavailable",
      message: expect.stringContaining("is too slow"),
    });
    answer = (_, response) => {
      response.writeHead(200, { "content-type": "text/csv" });
      response.write(rest);
      setTimeout(() => response.end(rest), 500);
    };
    expect(await read()).toBe(2 * rest.length);
  });

  it("expects more speed the longer a download takes, since other imports are waiting", async () => {
    answer = (_, response) => {
      response.writeHead(200, { "content-type": "text/csv" });
      // Twice the minimum pace, measured by the clock because timers are late on a busy machine.
      const began = performance.now();
      let sent = 0;
      const drops = setInterval(() => {
        const due = Math.floor((performance.now() - began) * 20);
        response.write("x".repeat(due - sent));
        sent = due;
      }, 20);
      response.on("close", () => clearInterval(drops));
    };
    const fetched = await fetchFeed(`${origin}/products.csv`, {}, { network, patience: 100 });
    if (fetched.notModified) throw new Error("It was not asked for that.");
    let bytes = 0;
    const read = async () => {
      for await (const piece of fetched.body) bytes += piece.length;
    };
    await expect(read()).rejects.toMatchObject({ message: expect.stringContaining("is too slow") });
    // More than the patience and grace periods alone allow at the minimum pace.
    expect(bytes).toBeGreaterThan(10_000);
  });

  it("never connects to the internal network: not by address, name, redirect, or DNS rebinding", async () => {
    serveText(csv("a"));
    const port = new URL(origin).port;
    for (const url of [
      `http://127.0.0.1:${port}/x`,
      `http://[::ffff:127.0.0.1]:${port}/x`,
      `http://localhost:${port}/x`,
      "http://169.254.169.254/latest/meta-data",
    ]) {
      const feed = await aFeed({ url });
      expect(await runFeed(shop.id, feed.id, { requested: true })).toEqual({ outcome: "refused" });
      expect((await listFeeds(shop.client)).at(-1)?.last_error).toMatch(/internal network/);
    }
    expect(receivedHeaders).toEqual([]);
    const elsewhere = await aFeed({ url: `${origin}/moved` });
    answer = (_, response) => response.writeHead(302, { location: `http://10.0.0.1:${port}/secret` }).end();
    expect(await runNow(elsewhere.id)).toEqual({ outcome: "refused" });
    expect(receivedHeaders).toHaveLength(1);
    // Every lookup of the name is checked, and the connection uses the checked address: the second answer is internal.
    let lookups = 0;
    const rebinding = {
      resolve: async () => [{ address: lookups++ === 0 ? "127.0.0.1" : "127.0.0.2", family: 4 }],
      allows: (ip: string) => ip === "127.0.0.1",
    };
    answer = (_, response) => response.writeHead(302, { location: `${origin}/again` }).end();
    expect(await runNow(elsewhere.id, { network: rebinding })).toEqual({ outcome: "refused" });
    expect(receivedHeaders).toHaveLength(2);
  });

  it("requires confirmation before it deletes more than half, and then does so", async () => {
    const feed = await aFeed();
    serveText(csv("a", "b", "c", "d"), { etag: '"1"' });
    await runNow(feed.id);
    serveText(csv("a"), { etag: '"2"' });
    expect(await runNow(feed.id)).toEqual({ outcome: "refused" });
    expect(await products()).toEqual(["a", "b", "c", "d"]);
    const refused = (await listImports(shop.client)).imports[0]!;
    expect(await getImport(shop.client, refused.id)).toMatchObject({
      status: "refused",
      report: null,
      confirm: { feed_id: feed.id },
    });
    expect(await runNow(feed.id, { confirmDeletions: true })).toMatchObject({ outcome: "imported" });
    expect(await products()).toEqual(["a", "-b", "-c", "-d"]);
    const done = (await listImports(shop.client)).imports[0]!;
    expect(await getImport(shop.client, done.id)).toMatchObject({
      deleted: 3,
      confirm: null,
      report: { rejected: [] },
    });
  });
});

describe("the schedule", () => {
  const due = async (hours: number) =>
    rowsOf("update feeds set next_run_at = now() + $2 * interval '1 hour', asked_at = null where client_id = $1", [
      shop.id,
      hours,
    ]);

  it("fetches each due feed once and sets the next time", async () => {
    // The scheduled function uses the service's settings, which here allow private addresses.
    const local = `http://127.0.0.1:${new URL(origin).port}/products.csv`;
    serveText(csv("a"));
    await aFeed({ url: local });
    const paused = await aFeed({ url: local, enabled: false });
    await due(-1);
    await rowsOf("delete from outbox where client_id = $1", [shop.id]);
    const tick = () => runJobNow({ client: inngest, functions }, "import-feeds", { clientIds: [shop.id] });
    await withSettings({ ALLOW_PRIVATE_URLS: "true" }, tick);
    const all = await listFeeds(shop.client);
    expect(all.map(({ last_outcome }) => last_outcome).sort()).toHaveLength(2);
    expect(all.find(({ id }) => id === paused.id)).toMatchObject({ last_run_at: null });
    const ran = all.find(({ id }) => id !== paused.id)!;
    expect(ran.last_run_at).not.toBeNull();
    const hours = (Date.parse(ran.next_run_at ?? "") - Date.now()) / 3_600_000;
    expect(hours).toBeGreaterThan(0);
    expect(hours).toBeLessThanOrEqual(24);
    const before = receivedHeaders.length;
    await tick();
    expect(receivedHeaders).toHaveLength(before);
  });

  it("starts a lost run again", async () => {
    await aFeed();
    await due(-1);
    const slotIn = (minutes: number) =>
      withNow(new Date(Date.now() + minutes * 60_000), async () => (await listDueFeeds([shop.id]))[0]?.slot);
    const slots = await Promise.all([0, 15, 30, 90].map(slotIn));
    expect(new Set(slots.slice(0, 3)).size).toBe(1);
    expect(slots[3]).not.toBe(slots[0]);
  });

  it("skips a run that is no longer due", async () => {
    const feed = await aFeed();
    await due(5);
    expect(await runFeed(shop.id, feed.id, { network })).toEqual({ outcome: "skipped" });
    expect(await runFeed(shop.id, "feed_none", { network })).toEqual({ outcome: "skipped" });
    serveText(csv("a"));
    const inSixHours = new Date(Date.now() + 6 * 3_600_000);
    expect(await withNow(inSixHours, () => runFeed(shop.id, feed.id, { network }))).toMatchObject({
      outcome: "imported",
    });
  });

  it.each([
    ["hourly", -0.2, false, 0.8],
    ["daily", -30, false, 18],
    ["weekly", -1, true, 1],
    ["hourly", -0.5, true, 0.5],
    ["daily", 3, false, 3],
  ] as const)("%s, due %d h ago (failed: %s): next in %d h", (schedule, hours, failed, next) => {
    const moment = new Date("2026-11-21T12:00:00Z");
    const in_ = (time: number) => new Date(moment.getTime() + time * 3_600_000);
    expect(nextRun(schedule, in_(hours), moment, failed)).toEqual(in_(next));
  });

  it("limits concurrent imports overall, and runs those of one client one after the other", async () => {
    const jobs = await readJobs({ client: inngest, functions });
    for (const [name, event] of [
      ["import-feed", "feed/due"],
      ["import-upload", "feed/uploaded"],
    ] as const) {
      const { concurrency: [concurrency] = [] } = [...jobs.functions.values()].find(({ id }) => id.endsWith(name))!;
      const groupOf = (client: string) =>
        concurrency?.keyOf({ name: event, data: { lane: importLane(client) } } as never);
      const groups = new Set(Array.from({ length: 40 }, (_, n) => groupOf(`shop-${n}`)));
      // Without lanes, ten clients with slow servers would use up all connections.
      expect([groups.size, concurrency?.limit]).toEqual([2, 1]);
    }
    await aFeed();
    const lanes = await rowsOf("select data->>'lane' as lane from outbox where client_id = $1", [shop.id]);
    expect(lanes).toEqual([{ lane: importLane(shop.id) }]);
  });

  it("accepts one run request at a time", async () => {
    const feed = await aFeed({ enabled: false });
    const ask = () => call(run, "POST", at(`feeds/${feed.id}/run`), { body: {}, headers });
    const answers = await Promise.all([ask(), ask(), ask()]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
    expect(await rowsOf("select name, data->>'asked' as asked from outbox where client_id = $1", [shop.id])).toEqual([
      { name: "feed/due", asked: "true" },
    ]);
    serveText(csv("a"));
    await runNow(feed.id);
    expect((await ask()).status).toBe(200);
  });
});

describe("an uploaded file", () => {
  const startUpload = async (kind = "products", filename = "lamps.csv") => {
    const newUpload = await call(uploads, "POST", at("feed_uploads"), { body: { kind, filename }, headers });
    expect(newUpload.status).toBe(201);
    return newUpload.json.data.id as string;
  };
  const send = (id: string, part: number | string, bytes: string | Uint8Array) => {
    const form = new FormData();
    form.set("file", new Blob([bytes as BlobPart]));
    return call(uploadPart, "PUT", at(`feed_uploads/${id}/parts/${part}`), { body: form, headers });
  };
  const start = (id: string, body: object) =>
    call(uploadImport, "POST", at(`feed_uploads/${id}/import`), { body, headers });

  it("is imported as one file across part boundaries, and its parts are deleted", async () => {
    const id = await startUpload();
    const fileBytes = Buffer.from(csv("a", "b", "ö"));
    const cut = fileBytes.indexOf("ö") + 1;
    expect((await send(id, 1, fileBytes.subarray(cut))).status).toBe(204);
    expectError(await start(id, { parts: 2 }), 409, "conflict");
    for (const time of [1, 2]) expect((await send(id, 0, fileBytes.subarray(0, cut))).status, `time ${time}`).toBe(204);
    const answers = await Promise.all([start(id, { parts: 2 }), start(id, { parts: 2 })]);
    expect(new Set(answers.map(({ json }) => json.data.id)).size).toBe(1);
    expectError(await send(id, 0, "x"), 409, "conflict");
    expect(await rowsOf("select name from outbox where client_id = $1", [shop.id])).toEqual([
      { name: "feed/uploaded" },
    ]);
    expect((await listImports(shop.client)).imports).toEqual([
      expect.objectContaining({ status: "queued", source: "lamps.csv" }),
    ]);
    expect(await importUpload(shop.id, id)).toEqual({ outcome: "imported" });
    expect(await products()).toEqual(["a", "b", "ö"]);
    expect(await getImport(shop.client, answers[0]!.json.data.id)).toMatchObject({ status: "done", created: 3 });
    expect(await rowsOf("select 1 from feed_uploads where id = $1", [id])).toEqual([]);
    expect(await readFile(`feeds/${id}/0`)).toBeNull();
    expect(await importUpload(shop.id, id)).toEqual({ outcome: "skipped" });
  });

  it("notifies who imported it of its end, once", async () => {
    await aUser("admin", { clients: [shop.id] });
    const upload = async (kind: string, filename: string, content: string) => {
      const id = await startUpload(kind, filename);
      await send(id, 0, content);
      return { id, importId: (await start(id, { parts: 1 })).json.data.id as string };
    };
    const done = await upload("products", "lamps.csv", csv("a", "b", "c"));
    const both = await Promise.all([importUpload(shop.id, done.id), importUpload(shop.id, done.id)]);
    expect(both.map(({ outcome }) => outcome).sort()).toEqual(["imported", "skipped"]);
    expect(await importUpload(shop.id, done.id)).toEqual({ outcome: "skipped" });
    const orders = await upload("orders", "orders.csv", "order_id,customer_id,sku\n");
    const bothOrders = await Promise.all([importUpload(shop.id, orders.id), importUpload(shop.id, orders.id)]);
    expect(bothOrders.map(({ outcome }) => outcome).sort()).toEqual(["imported", "skipped"]);
    const refused = await upload("products", "few.csv", csv("a"));
    expect(await importUpload(shop.id, refused.id)).toEqual({ outcome: "refused" });
    await importUpload(shop.id, refused.id);
    const notifications = await notificationsOf(shop.id);
    expect(notifications).toEqual([
      {
        kind: "import_done",
        params: { file: "lamps.csv" },
        path: `/portal/feeds/${done.importId}`,
        count: 1,
        user_id: expect.any(String),
      },
      expect.objectContaining({ params: { file: "orders.csv" }, count: 1 }),
      expect.objectContaining({ kind: "import_failed", path: `/portal/feeds/${refused.importId}`, count: 1 }),
    ]);
    expect(new Set(notifications.map(({ user_id }) => user_id)).size).toBe(1);
  });

  it("is retained during a storage outage and imported afterwards", async () => {
    const id = await startUpload();
    await send(id, 0, csv("a"));
    const { id: importId } = (await start(id, { parts: 1 })).json.data;
    const part = path.join(env().DATA_DIR, "images", "feeds", id, "0");
    await rename(part, `${part}.away`);
    await mkdir(part); // The file store returns an error, which differs from having no such file.
    await expect(importUpload(shop.id, id)).rejects.toMatchObject({ code: "unavailable" });
    expect(await getImport(shop.client, importId)).toMatchObject({ status: "failed" });
    expect(await notificationsOf(shop.id)).toEqual([]);
    await rmdir(part);
    await rename(`${part}.away`, part);
    expect(await importUpload(shop.id, id)).toEqual({ outcome: "imported" });
    expect(await getImport(shop.client, importId)).toMatchObject({ status: "done", created: 1, error: null });
    expect(await importUpload(shop.id, id)).toEqual({ outcome: "skipped" });
  });

  it("requires confirmation if it would delete more than half", async () => {
    const first = await startUpload();
    await send(first, 0, csv("a", "b", "c"));
    await start(first, { parts: 1 });
    await importUpload(shop.id, first);
    const id = await startUpload();
    await send(id, 0, csv("a"));
    const refused = (await start(id, { parts: 1 })).json.data.id as string;
    expect(await importUpload(shop.id, id)).toEqual({ outcome: "refused" });
    expect(await getImport(shop.client, refused)).toMatchObject({
      status: "refused",
      confirm: { upload_id: id, parts: 1 },
    });
    expect((await start(id, { parts: 1 })).json.data.id).toBe(refused);
    const confirmed = (await start(id, { parts: 1, confirm_deletions: true })).json.data.id as string;
    expect(confirmed).not.toBe(refused);
    expect(await importUpload(shop.id, id, { confirmDeletions: true })).toEqual({ outcome: "imported" });
    expect(await products()).toEqual(["a", "-b", "-c"]);
  });

  it("is rejected if it isn't a feed, has no valid part, or belongs to another client", async () => {
    const id = await startUpload("orders", "orders.pdf");
    await send(id, 0, "%PDF-1.7");
    const importId = (await start(id, { parts: 1 })).json.data.id as string;
    expect(await importUpload(shop.id, id)).toEqual({ outcome: "failed" });
    expect(await getImport(shop.client, importId)).toMatchObject({
      status: "refused",
      error: "The file is a PDF document.",
      confirm: null,
    });
    const next = await startUpload();
    for (const part of ["-1", "1e3", "x", "1000"]) expectError(await send(next, part, "x"), 404, "not_found");
    expectError(await send("0".repeat(32), 0, "x"), 404, "not_found");
    const other = await aClient();
    await expect(getImport(other.client, importId)).rejects.toMatchObject({ code: "not_found" });
    const stranger = await sessionHeaders(await aUser("admin", { clients: [other.id] }));
    expectError(
      await call(uploadImport, "POST", at(`feed_uploads/${next}/import`, other.id), {
        body: { parts: 1 },
        headers: stranger,
      }),
      404,
      "not_found",
    );
  });

  it("has a limited number of parts, and a client a limited number of open uploads", async () => {
    const shop = await aClient();
    const its = (path: string) => `/portal/api/v1/${path}?client_id=${shop.id}`;
    const { json } = await call(uploads, "POST", its("feed_uploads"), {
      body: { kind: "orders", filename: "o.csv" },
      headers: await sessionHeaders(await aUser("admin", { clients: [shop.id] })),
    });
    expect((await send(json.data.id, 512, "x")).status).toBe(404);
    await rowsOf(
      "insert into feed_uploads (client_id, id, kind, filename) select $1, 'begun-' || n, 'orders', 'o.csv' from generate_series(2, 20) n",
      [shop.id],
    );
    const more = await call(uploads, "POST", its("feed_uploads"), {
      body: { kind: "orders", filename: "o.csv" },
      headers: await sessionHeaders(await aUser("admin", { clients: [shop.id] })),
    });
    expect({ status: more.status, code: more.json.errors[0].code }).toEqual({ status: 409, code: "conflict" });
    expect(await rowsOf("select from feed_uploads where client_id = $1", [shop.id])).toHaveLength(20);
  });

  it("is deleted with its parts after a day without an import", async () => {
    const id = await startUpload();
    await send(id, 0, csv("a"));
    await purgeUploads();
    expect(await readFile(`feeds/${id}/0`)).not.toBeNull();
    await rowsOf("update feed_uploads set created_at = now() - interval '25 hours' where id = $1", [id]);
    expect((await purgeUploads()).removed).toBeGreaterThan(0);
    expect(await readFile(`feeds/${id}/0`)).toBeNull();
    expect(await rowsOf("select 1 from feed_uploads where id = $1", [id])).toEqual([]);
  });

  it("that can't be deleted doesn't block the deletion of others", async () => {
    const other = await startUpload();
    await rowsOf("update feed_uploads set created_at = now() - interval '8 days' where id = $1", [other]);
    await rowsOf(
      `insert into feed_uploads (client_id, id, kind, filename, created_at)
       select $1, 'stuck-' || n, 'products', 'p.csv', now() - interval '9 days' from generate_series(1, 100) n`,
      [shop.id],
    );
    await rowsOf("create function stays() returns trigger language plpgsql as $$ begin raise 'it is stuck'; end $$");
    await rowsOf(
      "create trigger stays before delete on feed_uploads for each row when (old.id like 'stuck-%') execute function stays()",
    );
    const left = () => rowsOf("select id from feed_uploads where client_id = $1", [shop.id]);
    try {
      expect(await purgeUploads()).toMatchObject({
        continueAfter: null,
        error: expect.stringContaining("it is stuck"),
      });
    } finally {
      await rowsOf("drop trigger stays on feed_uploads");
      await rowsOf("drop function stays");
    }
    expect(await left()).toHaveLength(100);
    expect((await left()).map(({ id }) => id)).not.toContain(other);
    await purgeUploads();
    expect(await left()).toEqual([]);
  });

  it("of orders is deleted by an erasure unless it is in progress", async () => {
    const abandoned = await startUpload("orders", "orders.csv");
    const inProgress = await startUpload("orders", "orders.csv");
    const productUpload = await startUpload();
    const [waiting, broken] = [await startUpload("orders", "orders.csv"), await startUpload("orders", "orders.csv")];
    for (const id of [abandoned, inProgress, productUpload, waiting, broken])
      await send(id, 0, "order_id,email\n1,anna@x.example\n");
    for (const id of [waiting, broken]) await start(id, { parts: 1 });
    // The database was down during the import, so the file was retained for another attempt.
    await rowsOf(
      "update feed_imports set status = 'failed' where id = (select import_id from feed_uploads where id = $1)",
      [broken],
    );
    await rowsOf("update feed_uploads set created_at = now() - interval '2 hours' where id <> $1", [inProgress]);
    const person = { by: "email", email: "anna@x.example" } as const;
    expect(await erasePersonalData(systemActor, shop.client, person)).toBe("deleted");
    const exists = async (id: string) => (await readFile(`feeds/${id}/0`)) !== null;
    expect(await Promise.all([abandoned, inProgress, productUpload, waiting, broken].map(exists))).toEqual([
      false,
      true,
      true,
      true,
      false,
    ]);
    expect(await importUpload(shop.id, broken)).toEqual({ outcome: "skipped" });
    expect(await rowsOf("select from feed_uploads where client_id = $1", [shop.id])).toHaveLength(3);
  });

  it("that waits for its import is retained for a week", async () => {
    const id = await startUpload();
    await send(id, 0, csv("a"));
    await start(id, { parts: 1 });
    const aged = async (age: string) => {
      await rowsOf("update feed_uploads set created_at = now() - $2::interval where id = $1", [id, age]);
      await purgeUploads();
    };
    await aged("6 days");
    expect(await importUpload(shop.id, id)).toEqual({ outcome: "imported" });
    const other = await startUpload();
    await send(other, 0, csv("b"));
    await start(other, { parts: 1 });
    await rowsOf("update feed_uploads set created_at = now() - interval '8 days' where id = $1", [other]);
    await purgeUploads();
    expect(await readFile(`feeds/${other}/0`)).toBeNull();
  });
});

describe("the list of imports", () => {
  it("retains ninety days of imports, and always running ones", async () => {
    await rowsOf(
      `insert into feed_imports (client_id, id, kind, source, status, started_at, finished_at)
       select $1, status || days, 'products', 'file', status, now() - days * interval '1 day',
              case when status <> 'running' then now() - days * interval '1 day' end
         from unnest(array['failed', 'done', 'running']) status, unnest(array[89, 91]) days`,
      [shop.id],
    );
    while ((await purgeImports(1)) > 0);
    const left = (await listImports(shop.client)).imports.map(({ id }) => id);
    expect(left.sort()).toEqual(["done89", "failed89", "running89", "running91"]);
  });

  it("continues after the previous page", async () => {
    await rowsOf(
      `insert into feed_imports (client_id, id, kind, source, status, started_at)
       select $1, 'imp_' || n, 'products', 'file', 'done', now() - (n / 3) * interval '1 minute' from generate_series(100, 160) n`,
      [shop.id],
    );
    const seen: string[] = [];
    for (let after: string | undefined, pages = 0; pages < 10; pages += 1) {
      const { imports, next } = await listImports(shop.client, { after });
      seen.push(...imports.map(({ id }) => id));
      if (next === null) break;
      after = next;
    }
    expect(seen).toHaveLength(61);
    expect(new Set(seen).size).toBe(61);
    await expect(listImports(shop.client, { after: "bm9uZQ" })).rejects.toMatchObject({ code: "invalid_cursor" });
  });
});
