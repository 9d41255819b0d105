import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import * as pausing from "@/app/portal/api/v1/integrations/[kind]/pause/route";
import * as resuming from "@/app/portal/api/v1/integrations/[kind]/resume/route";
import * as one from "@/app/portal/api/v1/integrations/[kind]/route";
import * as syncing from "@/app/portal/api/v1/integrations/[kind]/sync/route";
import * as testing from "@/app/portal/api/v1/integrations/[kind]/test/route";
import * as all from "@/app/portal/api/v1/integrations/route";
import { checkEngagement } from "@/lib/integrations/engagement/check-engagement";
import { getIntegration, listIntegrations } from "@/lib/integrations/list-integrations";
import { finishSyncRun, listSyncRuns, mergeState, startSyncRun } from "@/lib/integrations/record-run";
import { readIntegrationWithSecrets } from "@/lib/integrations/rows";
import { postponeRequests, purgePaces, rateLimitKey, waitForRateLimit } from "@/lib/platform/jobs/partner-rate-limit";
import { encodeNotices } from "@/lib/platform/notices";
import { call } from "@/lib/tools/test/call";
import { aClient, aMember, notificationsOf, rowsOf } from "@/lib/tools/test/factories";
import { withSettings } from "@/lib/tools/test/with-settings";

const PATH = "/portal/api/v1/integrations";
const SECRET = "key-of-the-tenant-9f27";
const settings = { base_url: "https://192.0.43.8" };
const input = { kind: "engagement", settings, secrets: { api_key: SECRET } };

async function connected() {
  const shop = await aClient();
  const admin = await aMember(shop, "admin");
  const made = await call(all, "POST", PATH, { ...admin, body: input });
  return { shop, admin, made };
}

describe("an integration", () => {
  it("is created with defaults and never returns its credentials", async () => {
    const { shop, made } = await connected();
    expect(made.status).toBe(201);
    expect(made.json.data).toMatchObject({
      kind: "engagement",
      settings: {
        base_url: "https://192.0.43.8",
        schema_id: "completedProductRating",
        send_on: "submission",
        contact_lookup: ["customer_key", "email"],
      },
      secrets: ["api_key"],
      state: "active",
      error: null,
    });
    expect(made.text).not.toContain(SECRET);
    expect((await readIntegrationWithSecrets(shop.id, "engagement"))?.secrets).toEqual({
      api_key: SECRET,
    });
    const [{ dump }] = (await rowsOf("select i::text || encode(i.secrets, 'escape') as dump from integrations i")) as [
      { dump: string },
    ];
    expect(dump).not.toContain(SECRET);
    expect(JSON.stringify(await rowsOf("select * from audit_entries"))).not.toContain(SECRET);
  });

  it("exists once per kind and client", async () => {
    const { admin } = await connected();
    const again = await call(all, "POST", PATH, { ...admin, body: input });
    expect(again.status).toBe(409);
  });

  it("reports each issue with its field and saves nothing", async () => {
    const shop = await aClient();
    const admin = await aMember(shop, "admin");
    const refused = async (body: unknown) => {
      const answer = await call(all, "POST", PATH, { ...admin, body });
      expect(answer.status).toBe(422);
      return answer.json.errors.map(({ field }: { field: string }) => field);
    };
    expect(await refused({ ...input, secrets: {} })).toEqual(["secrets.api_key"]);
    expect(await refused({ ...input, kind: "telegraph" })).toEqual(["kind"]);
    expect(
      await refused({
        ...input,
        settings: { base_url: "ftp://x", schema_id: "a b" },
      }),
    ).toEqual(["settings.base_url", "settings.schema_id"]);
    expect(await refused({ ...input, settings: { base_url: "https://10.0.0.7/" } })).toEqual(["settings.base_url"]);
    expect(
      await refused({
        ...input,
        settings: { base_url: "https://[::ffff:127.0.0.1]/" },
      }),
    ).toEqual(["settings.base_url"]);
    expect(await refused({ ...input, settings: { base_url: "http://192.0.43.8" } })).toEqual(["settings.base_url"]);
    expect(await listIntegrations(shop)).toEqual([]);
  });

  it("keeps its credentials only for the same server", async () => {
    const { shop, admin } = await connected();
    const change = (body: unknown) => call(one, "PUT", `${PATH}/engagement`, { ...admin, body });
    const changed = await change({
      ...input,
      secrets: {},
      settings: { ...settings, send_on: "acceptance" },
    });
    expect(changed.json.data.settings.send_on).toBe("acceptance");
    expect((await readIntegrationWithSecrets(shop.id, "engagement"))?.secrets.api_key).toBe(SECRET);
    const elsewhere = {
      ...input,
      secrets: {},
      settings: { base_url: "https://192.0.43.9" },
    };
    expect((await change(elsewhere)).json.errors).toMatchObject([{ field: "secrets.api_key" }]);
    expect((await change({ ...elsewhere, secrets: { api_key: "another" } })).status).toBe(200);
    expect((await readIntegrationWithSecrets(shop.id, "engagement"))?.secrets.api_key).toBe("another");
  });

  it("rejects a change based on an outdated version", async () => {
    const { shop, admin, made } = await connected();
    const { version } = made.json.data;
    const change = (send_on: string, seen?: number) =>
      call(one, "PUT", `${PATH}/engagement`, {
        ...admin,
        body: { ...input, version: seen, settings: { ...settings, send_on } },
      });
    const answers = await Promise.all([change("acceptance", version), change("submission", version)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    const won = answers.find(({ status }) => status === 200)!.json.data;
    expect(await getIntegration(shop, "engagement")).toMatchObject({ settings: won.settings, version: won.version });
    expect(won.version).toBeGreaterThan(version);
    expect((await change("acceptance", won.version)).status).toBe(200);
    // Without a version, the change applies to any version.
    expect((await change("submission")).json.data).toMatchObject({
      settings: { send_on: "submission" },
      version: won.version + 2,
    });
  });

  it("marks an earlier unfinished run as interrupted when another starts", async () => {
    const { shop } = await connected();
    const interruptedRun = await startSyncRun(shop.id, "engagement");
    const run = await startSyncRun(shop.id, "engagement");
    expect(await listSyncRuns(shop, "engagement")).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ id: run, outcome: "running" }),
        expect.objectContaining({ id: interruptedRun, outcome: "failed", error: "The run was interrupted." }),
      ]),
    );
  });

  it("records who confirmed the catalog deletions", async () => {
    const { shop, admin } = await connected();
    const ask = (confirm_deletions: boolean) =>
      call(syncing, "POST", `${PATH}/engagement/sync`, { ...admin, body: { confirm_deletions } });
    expect((await ask(true)).status).toBe(200);
    expect((await ask(true)).status).toBe(409);
    expect(
      await rowsOf(
        "select actor_kind, subject from audit_entries where client_id = $1 and action = 'integration.deletions_confirmed'",
        [shop.id],
      ),
    ).toEqual([{ actor_kind: "user", subject: "engagement" }]);
  });

  it("is paused and resumed, which resets its errors", async () => {
    const { shop, admin } = await connected();
    const run = await startSyncRun(shop.id, "engagement");
    await mergeState(shop.id, "engagement", {
      warning: "An attribute is missing.",
    });
    await finishSyncRun(shop.id, "engagement", run, {
      counts: { sent: 2 },
      error: encodeNotices({ reason: "engagement_key_refused", params: { status: 401 } }),
    });
    const failing = await getIntegration(shop, "engagement");
    expect(failing).toMatchObject({
      state: "failing",
      error: expect.stringMatching(/^The platform rejected the API key \(status 401\)\./),
      warning: /attribute/,
    });
    expect(await listSyncRuns(shop, "engagement")).toMatchObject([
      {
        id: run,
        outcome: "failed",
        counts: { sent: 2 },
        error: expect.stringMatching(/^The platform rejected the API key \(status 401\)\./),
      },
    ]);
    const notified = {
      kind: "integration_stopped",
      params: { integration: "engagement" },
      path: "/portal/integrations/engagement",
      count: 1,
      user_id: expect.any(String),
    };
    expect(await notificationsOf(shop.id)).toEqual([notified]);
    // It keeps failing, then works, then fails again.
    const again = { error: encodeNotices({ reason: "engagement_refused", params: { status: 503 } }) };
    await finishSyncRun(shop.id, "engagement", run, again);
    expect(await notificationsOf(shop.id)).toEqual([{ ...notified, count: 2 }]);
    await rowsOf("update notifications set read_at = now() where client_id = $1", [shop.id]);
    await finishSyncRun(shop.id, "engagement", run, again);
    expect(await notificationsOf(shop.id)).toHaveLength(1);
    await finishSyncRun(shop.id, "engagement", run, {});
    await finishSyncRun(shop.id, "engagement", run, again);
    expect(await notificationsOf(shop.id)).toHaveLength(2);
    const press = (module: typeof pausing, word: string) => call(module, "POST", `${PATH}/engagement/${word}`, admin);
    expect((await press(pausing, "pause")).json.data.state).toBe("paused");
    expect((await press(pausing, "pause")).json.data.state).toBe("paused");
    const paused = "select from audit_entries where client_id = $1 and action = 'integration.paused'";
    expect(await rowsOf(paused, [shop.id])).toHaveLength(1);
    expect((await press(resuming, "resume")).json.data).toMatchObject({
      state: "active",
      error: null,
    });
  });

  it("reports unreadable credentials, and accepts new ones", async () => {
    const { shop, admin } = await connected();
    await rowsOf("update integrations set secrets = '\\x0102030405' where client_id = $1", [shop.id]);
    expect(await listIntegrations(shop)).toMatchObject([
      { secrets: [], state: "failing", error: expect.stringContaining("can’t be decrypted") },
    ]);
    await expect(readIntegrationWithSecrets(shop.id, "engagement")).rejects.toMatchObject({ code: "conflict" });
    const tried = await call(testing, "POST", `${PATH}/engagement/test`, admin);
    expect({ status: tried.status, ok: tried.json.data.ok }).toEqual({ status: 200, ok: false });
    const change = (secrets: object) =>
      call(one, "PUT", `${PATH}/engagement`, { ...admin, body: { ...input, secrets } });
    const missing = await change({});
    expect(missing.status).toBe(422);
    expect(missing.json.errors[0].field).toBe("secrets.api_key");
    const mended = await change({ api_key: "another" });
    expect(mended.json.data).toMatchObject({ secrets: ["api_key"], state: "active", error: null });
  });

  it("is deleted with its credentials and runs", async () => {
    const { shop, admin } = await connected();
    await startSyncRun(shop.id, "engagement");
    expect((await call(one, "DELETE", `${PATH}/engagement`, admin)).status).toBe(204);
    expect(await listIntegrations(shop)).toEqual([]);
    expect(await listSyncRuns(shop, "engagement")).toEqual([]);
    expect((await call(one, "DELETE", `${PATH}/engagement`, admin)).status).toBe(404);
    expect((await call(testing, "POST", `${PATH}/engagement/test`, admin)).status).toBe(404);
  });

  it("requires an admin, and is hidden from other clients", async () => {
    const { shop } = await connected();
    const moderator = await aMember(shop, "moderator");
    expect((await call(pausing, "POST", `${PATH}/engagement/pause`, moderator)).status).toBe(403);
    const stranger = await aMember(await aClient(), "admin");
    expect((await call(pausing, "POST", `${PATH}/engagement/pause`, stranger)).status).toBe(404);
    expect((await getIntegration(shop, "engagement")).state).toBe("active");
  });
});

describe("the rate limit of a partner", () => {
  it("is shared by concurrent requests", async () => {
    const key = rateLimitKey("partner", "secret");
    const moments: number[] = [];
    const began = performance.now();
    await Promise.all(
      Array.from({ length: 12 }, async () => {
        await waitForRateLimit(key, 50);
        moments.push(performance.now());
      }),
    );
    // Twelve requests have eleven gaps of 20 ms; a timer may fire slightly early.
    expect(Math.max(...moments) - began).toBeGreaterThan(200);
    const before = performance.now(); // not awaited later: until it resolves, part of the time has passed
    await postponeRequests(key, 0.3);
    await waitForRateLimit(key, 50);
    expect(performance.now() - before).toBeGreaterThan(250);
    expect(JSON.stringify(await rowsOf("select * from partner_paces"))).not.toContain("secret");
    // Long waits are reported immediately.
    await postponeRequests(key, 3_600);
    await expect(waitForRateLimit(key, 50)).rejects.toMatchObject({
      code: "unavailable",
      headers: { "Retry-After": expect.stringMatching(/^3\d{3}$/) },
    });
    await rowsOf("update partner_paces set next_at = now() - interval '2 days'");
    expect(await purgePaces()).toBe(1);
  });
});

describe("the connection test of an engagement platform", () => {
  let server: Server;
  let answers: Record<string, [status: number, body: unknown]>;
  const seen: { path: string; headers: Record<string, unknown> }[] = [];
  beforeAll(async () => {
    server = createServer((request, response) => {
      seen.push({ path: request.url ?? "", headers: request.headers });
      const [status, body] = answers[request.url ?? ""] ?? [404, { errorCode: "NotFound" }];
      response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
    });
    await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  });
  afterEach(() => void seen.splice(0));
  afterAll(() => void server.close());

  const check = (api_key = SECRET) =>
    checkEngagement(
      {
        clientId: "shop",
        enabled: true,
        settings: {
          base_url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
          schema_id: "completedProductRating",
          send_on: "submission",
          contact_lookup: ["email"],
          contact_type: null,
        },
        secrets: { api_key },
        state: {},
      },
      { allows: () => true },
    );

  it("sends the required headers and explains the responses", async () => {
    answers = { "/api/v3/contacts/count": [200, 12] };
    expect(await check()).toMatchObject([{ ok: true }, { ok: true, message: /created with the first review/ }]);
    expect(seen).toMatchObject([
      {
        path: "/api/v3/contacts/count",
        headers: { apikey: SECRET, "content-type": "application/json" },
      },
      { path: "/api/v3/interactionschemas/completedProductRating" },
    ]);
    expect(seen[0]?.headers["user-agent"]).toMatch(/^\w+\/\d+\.\d+$/);

    answers = {
      "/api/v3/contacts/count": [401, { message: `bad key ${SECRET}` }],
    };
    const refused = await check();
    expect(refused).toMatchObject([{ ok: false, message: /rejected the API key/ }]);
    expect(JSON.stringify(refused)).not.toContain(SECRET);
  });

  it("compares an existing schema with ours, and leaves it alone", async () => {
    const path = "/api/v3/interactionschemas/completedProductRating";
    const jsonSchema = {
      properties: {
        productSku: { type: "string" },
        rating: { type: "number" },
      },
      required: ["shop"],
    };
    answers = {
      "/api/v3/contacts/count": [200, 12],
      [path]: [200, { id: "completedProductRating", jsonSchema }],
    };
    const [, found] = await check();
    expect(found?.ok).toBe(false);
    for (const part of [
      "Its property rating is number",
      "no property comment",
      "requires the property shop",
      "another ID",
    ])
      expect(found?.message).toContain(part);
    expect(seen.every(({ path }) => path.startsWith("/api/v3/"))).toBe(true);
    expect(seen).toHaveLength(2);
  });

  it("rejects an internal address, even if it's stored", async () => {
    const { shop } = await connected();
    await rowsOf(`update integrations set settings = settings || '{"base_url":"http://127.0.0.1:1"}'`);
    const integration = await readIntegrationWithSecrets(shop.id, "engagement");
    if (!integration) throw new Error("There is no integration.");
    const checks = await withSettings({ ALLOW_PRIVATE_URLS: "false" }, () => checkEngagement(integration));
    expect(checks).toMatchObject([{ ok: false, message: /internal network/ }]);
  });
});
