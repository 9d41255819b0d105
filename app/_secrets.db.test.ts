import { randomBytes } from "node:crypto";
import fs from "node:fs";
import http from "node:http";
import type { AddressInfo } from "node:net";
import { TOTP } from "otpauth";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { contracts, routes } from "@/app/_routes";
import { finishSignIn, signInToPortal } from "@/lib/accounts/sign-in/portal-sign-in";
import type { Methods } from "@/lib/api/methods";
import { runFeed } from "@/lib/feeds/run-feed";
import { syncCommerce } from "@/lib/integrations/commerce/sync-commerce";
import { syncShare } from "@/lib/integrations/delta-share/sync-share";
import { deliverDueRecords as deliverReviews } from "@/lib/integrations/engagement/deliver-due";
import { queueReview } from "@/lib/integrations/engagement/queue-review";
import { defaultTiming } from "@/lib/integrations/engagement/timing";
import { deliverDueEvents as deliverEvents } from "@/lib/integrations/webhooks/deliver-due";
import { sealAddress } from "@/lib/integrations/webhooks/rows";
import { withNow } from "@/lib/platform/clock";
import { pool } from "@/lib/platform/db/pool";
import { env } from "@/lib/platform/env";
import { enqueue } from "@/lib/platform/jobs/outbox/enqueue";
import { log } from "@/lib/platform/log";
import { deliverMail } from "@/lib/platform/mail/deliver-mail";
import { queueMail } from "@/lib/platform/mail/queue-mail";
import { CommerceFake, commerceKeys, commerceUser } from "@/lib/tools/fakes/commerce";
import { sampleShop } from "@/lib/tools/fakes/commerce-shop";
import { DeltaShareFake, deltaShareToken } from "@/lib/tools/fakes/delta-share";
import { sampleTenant } from "@/lib/tools/fakes/delta-share-tenant";
import { EngagementFake, engagementKey } from "@/lib/tools/fakes/engagement";
import { basicHeader, call, type RequestOptions, type TestResponse } from "@/lib/tools/test/call";
import {
  aClient,
  aKey,
  aMember,
  aUser,
  rowsOf,
  sessionHeaders,
  someReviews,
  type TestClient,
} from "@/lib/tools/test/factories";
import { startAdmin } from "@/lib/tools/test/program";
import { type WebhookReceiver, webhookReceiver } from "@/lib/tools/test/webhook-receiver";

// Sets up everything that holds a secret with marked secrets and uses it until it works and until it fails. Then
// searches the whole database, the log, every response and the admin command's output for the marks.

const marks = vi.hoisted(() => {
  const mark = (name: string) => `${name}-${Math.random().toString(16).slice(2, 14).padEnd(12, "0")}-mark`;
  const made = {
    smtp: mark("smtp-password"),
    events: `whsec_${btoa(mark("resend-webhook-secret"))}`,
    signing: Array.from({ length: 64 }, () => Math.floor(Math.random() * 16).toString(16)).join(""),
    eventKey: mark("inngest-event-key"),
  };
  Object.assign(process.env, {
    LOG_LEVEL: "trace",
    ALLOW_PRIVATE_URLS: "true",
    SMTP_URL: `smtp://shop:${made.smtp}@127.0.0.1:9`,
    MAIL_FROM: "reviews@candor.example",
    RESEND_WEBHOOK_SECRET: made.events,
    INNGEST_SIGNING_KEY: made.signing,
    INNGEST_EVENT_KEY: made.eventKey,
    INNGEST_BASE_URL: "http://127.0.0.1:9",
  });
  return made;
});

/** Secrets that must not appear anywhere, by name. */
const secrets = new Map<string, string>();
const secret = (name: string, value = `${name.replaceAll(" ", "-")}-${randomBytes(6).toString("hex")}-mark`) => {
  secrets.set(name, value);
  return value;
};

/** The encodings in which a text may appear: plain, URL-encoded, hex, and base64 at each offset. */
function encodingsOf(value: string): string[] {
  const based = [0, 1, 2].map((before) => {
    const bytesInBase64 = Buffer.concat([Buffer.alloc(before), Buffer.from(value)])
      .toString("base64")
      .replace(/=+$/, "");
    // The first and last characters also encode neighboring bytes.
    return bytesInBase64.slice(before === 0 ? 0 : before + 1, -1);
  });
  const safe = based.map((form) => form.replaceAll("+", "-").replaceAll("/", "_"));
  return [...new Set([value, encodeURIComponent(value), Buffer.from(value).toString("hex"), ...based, ...safe])];
}

/** Names of the secrets found in a text. */
const secretsIn = (where: string): string[] => {
  const lower = where.toLowerCase();
  return [...secrets].flatMap(([name, value]) =>
    encodingsOf(value).some((form) => where.includes(form) || (/^[0-9a-f]+$/.test(form) && lower.includes(form)))
      ? [name]
      : [],
  );
};

/** All responses and output, except responses that show a secret once. */
const outputs: { by: string; text: string }[] = [];
const logged: string[] = [];

const methodsOf = (address: string): Partial<Methods> => {
  const found = routes.find((route) => route.path === address);
  if (!found) throw new Error(`${address} is not served.`);
  return found.methods;
};

/** Calls a contract's path with `{…}` filled in order; records the response unless it shows a secret once. */
async function ask(
  method: keyof Methods,
  path: string,
  sent: RequestOptions & { in?: string[]; query?: string; once?: true },
): Promise<TestResponse> {
  const names = [...(sent.in ?? [])];
  const at = path.replace(/\{\w+\}/g, () => encodeURIComponent(names.shift() ?? "none"));
  const answer = await call(methodsOf(path), method, at + (sent.query ? `?${sent.query}` : ""), sent);
  const headers = JSON.stringify([...answer.headers]);
  if (!sent.once) outputs.push({ by: `${method} ${path} ${answer.status}`, text: `${answer.text} ${headers}` });
  return answer;
}

const PORTAL_API = "/portal/api/v1";
let shop: TestClient;
let admin: { headers: Record<string, string> };
let query: string;
let writeSpy: ReturnType<typeof vi.spyOn>;
let receiver: WebhookReceiver;

beforeAll(async () => {
  writeSpy = vi.spyOn(fs, "writeSync").mockImplementation(((_: number, line: string | Uint8Array) => {
    const words = typeof line === "string" ? line : Buffer.from(line).toString("utf8");
    logged.push(words);
    return Buffer.byteLength(words);
  }) as typeof fs.writeSync);
  shop = await aClient();
  admin = await aMember(shop, "admin");
  query = `client_id=${shop.id}`;
  receiver = await webhookReceiver();
  secret("CANDOR_SECRET", env().CANDOR_SECRET);
  secret("SMTP password", marks.smtp);
  secret("Resend's webhook secret", marks.events);
  secret("Inngest's signing key", marks.signing);
  secret("Inngest's event key", marks.eventKey);
  secret("API key", shop.key);
});
afterAll(async () => {
  writeSpy.mockRestore();
  await receiver.stop();
});

describe("uses marked secrets until they work and until they fail:", () => {
  it("the engagement platform", { timeout: 60_000 }, async () => {
    const fake = new EngagementFake();
    const base_url = await fake.listen();
    const settings = { base_url };
    const wrong = secret("wrong engagement key");
    secret("engagement key", engagementKey);
    const put = (body: object) =>
      ask("PUT", `${PORTAL_API}/integrations/{kind}`, { ...admin, query, in: ["engagement"], body });
    const test = () => ask("POST", `${PORTAL_API}/integrations/{kind}/test`, { ...admin, query, in: ["engagement"] });
    // Typing errors: the secret in the wrong field, or in an invalid shape.
    for (const body of [
      { kind: "engagement", settings, secrets: { api_key: { nested: wrong } } },
      { kind: "engagement", settings, secrets: { api_key: `${wrong} with blanks` } },
      { kind: "engagement", settings, secrets: wrong },
      { kind: "engagement", settings: { base_url: `http://user:${wrong}@127.0.0.1` }, secrets: { api_key: wrong } },
    ])
      expect((await ask("POST", `${PORTAL_API}/integrations`, { ...admin, query, body })).status).toBe(422);
    const made = await ask("POST", `${PORTAL_API}/integrations`, {
      ...admin,
      query,
      body: { kind: "engagement", settings, secrets: { api_key: wrong } },
    });
    expect(made.status).toBe(201);
    expect((await test()).json.data.ok).toBe(false);
    fake.addContact({ email: "ada@example.org" });
    const review = async () => {
      const person = { author_email: "ada@example.org", email_key: "ada@example.org", verified_email: true };
      const [id = ""] = await someReviews(shop.id, [{ source: "collect", ...person }]);
      await queueReview(shop.id, id);
      for (let turn = 0; turn < 8; turn += 1)
        await deliverReviews(shop.id, {
          timing: { ...defaultTiming, timeout: 800, defaultRetryAfter: 0.05, settle: 50, backoff: [0.02] },
        });
    };
    await review();
    expect((await put({ kind: "engagement", settings, secrets: { api_key: engagementKey } })).status).toBe(200);
    expect((await test()).json.data.ok).toBe(true);
    await rowsOf("update deliveries set due_at = now() where client_id = $1 and outcome is null", [shop.id]).catch(
      () => undefined,
    );
    await review();
    expect(fake.interactions.size).toBeGreaterThan(0);
    await fake.close();
    expect((await test()).json.data.ok).toBe(false);
    await review();
  });

  it("the store, with each authentication method", { timeout: 120_000 }, async () => {
    const sync = () =>
      syncCommerce(shop.id, { retryDelays: [5, 5], timeout: 2_000, budget: 10_000 }).catch((error: Error) =>
        outputs.push({ by: "syncCommerce", text: `${error.stack}` }),
      );
    const fake = new CommerceFake(sampleShop());
    const orders_url = await fake.listen();
    const wrong = secret("wrong commerce password");
    secret("commerce password", commerceUser.password);
    for (const [name, value] of Object.entries(commerceKeys)) secret(name, value);
    const bearer = secret("wrong bearer token");
    const settings = (auth: string) => ({ orders_url, auth, requests_per_second: 20 });
    const inputs = [
      [settings("password"), { username: commerceUser.username, password: wrong }],
      [settings("bearer"), { token: bearer }],
      [settings("oauth1"), { ...commerceKeys, token_secret: wrong }],
      [settings("oauth1"), commerceKeys],
      [settings("password"), commerceUser],
    ] as const;
    const outcomes: unknown[] = [];
    for (const [index, [set, given]] of inputs.entries()) {
      const body = { kind: "commerce", settings: set, secrets: given };
      const sent = { ...admin, query, body };
      const saveResponse =
        index === 0
          ? await ask("POST", `${PORTAL_API}/integrations`, sent)
          : await ask("PUT", `${PORTAL_API}/integrations/{kind}`, { ...sent, in: ["commerce"] });
      expect(saveResponse.status).toBeLessThan(300);
      const test = await ask("POST", `${PORTAL_API}/integrations/{kind}/test`, { ...admin, query, in: ["commerce"] });
      await sync();
      outcomes.push(test.json.data?.ok);
    }
    expect(outcomes).toEqual([false, false, false, true, true]);
    const [{ token }] = await rowsOf(
      "select state #> '{login,token}' as token from integrations where type = 'commerce'",
    );
    expect(token).toMatchObject({ sealed: expect.any(String) });
    await fake.close();
    await ask("POST", `${PORTAL_API}/integrations/{kind}/test`, { ...admin, query, in: ["commerce"] });
    await sync();
  });

  it("the data share, whose profile contains both address and key", { timeout: 60_000 }, async () => {
    const fake = new DeltaShareFake(Object.values(sampleTenant()), { rate: 1_000 });
    const profile = await fake.listen();
    secret("share token", deltaShareToken);
    // File addresses are signed: the address alone gives access to the file.
    secret("address of a file", ".snappy.parquet?se=");
    const wrong = secret("wrong share token");
    const send = (method: "POST" | "PUT", given: unknown) => {
      const body = { kind: "share", settings: {}, secrets: { profile: given } };
      return method === "POST"
        ? ask("POST", `${PORTAL_API}/integrations`, { ...admin, query, body })
        : ask("PUT", `${PORTAL_API}/integrations/{kind}`, { ...admin, query, in: ["share"], body });
    };
    const post = (word: "test" | "preview") =>
      ask("POST", `${PORTAL_API}/integrations/{kind}/${word}`, { ...admin, query, in: ["share"] });
    const sync = async () => {
      for (let part = 1; part <= 20; part += 1) {
        const { nextInSeconds, error } = await syncShare(shop.id, {
          retryDelays: [5, 5],
          timeout: 2_000,
          perSecond: 1_000,
        });
        outputs.push({ by: "syncShare", text: String(error) });
        if (nextInSeconds === null) return;
      }
      throw new Error("It does not end.");
    };
    const invalidProfiles = [
      `{"shareCredentialsVersion": 1, "bearerToken": "${wrong}"`,
      { ...profile, bearerToken: { nested: wrong } },
      { ...profile, bearerToken: `${wrong} with blanks` },
      { ...profile, shareCredentialsVersion: 2, bearerToken: wrong },
      [wrong],
    ];
    for (const slip of invalidProfiles) expect((await send("POST", slip)).status).toBe(422);
    expect((await send("POST", { ...profile, bearerToken: wrong })).status).toBe(201);
    expect((await post("test")).json.data.ok).toBe(false);
    await post("preview");
    await sync();
    expect((await send("PUT", profile)).status).toBe(200);
    expect((await post("test")).json.data.ok).toBe(true);
    expect((await post("preview")).json.data.fault).toBeNull();
    fake.fileFailures.push("expired", "cut in the middle", { status: 500 }, { status: 503, html: true });
    await sync();
    expect(fake.servedFiles.length).toBeGreaterThan(0);
    expect(await rowsOf("select from deliveries where client_id = $1 and type = 'share'", [shop.id])).not.toEqual([]);
    await fake.close();
    for (const word of ["test", "preview"] as const) await post(word);
    await sync();
  });

  it("a webhook", async () => {
    const [user, token] = [secret("webhook password"), secret("webhook token")];
    const address = `https://hook:${user}@hooks.invalid/in?token=${token}`;
    const body = { url: address, events: ["review.created"] };
    expect(
      (await ask("POST", `${PORTAL_API}/webhooks`, { ...admin, query, body: { ...body, events: [token] } })).status,
    ).toBe(422);
    const made = await ask("POST", `${PORTAL_API}/webhooks`, { ...admin, query, body, once: true });
    const { id } = made.json.data;
    receiver.secret = secret("webhook signing secret", made.json.data.secret);
    const target = new URL(receiver.url);
    target.username = "hook";
    target.password = user;
    target.searchParams.set("token", token);
    const setWebhookUrl = async (url: string) => {
      const sealedUrl = sealAddress(url);
      await rowsOf("update webhooks set url = $2, sealed_url = $3, next_try_at = null where id = $1", [
        id,
        sealedUrl.url,
        sealedUrl.sealed_url,
      ]);
    };
    const network = { allows: () => true };
    const deliverEvent = async (n: number) => {
      await enqueue(pool(), [{ name: "review/submitted", data: { client_id: shop.id, review_id: `r${n}` } }]);
      await rowsOf("update webhooks set next_try_at = null, disabled_at = null, disabled_reason = null where id = $1", [
        id,
      ]);
      await rowsOf("update webhook_deliveries set due_at = now() - interval '1 s' where webhook_id = $1", [id]);
      return deliverEvents(shop.id, id, network);
    };
    await deliverEvent(0); // hooks.invalid doesn't resolve
    await setWebhookUrl(target.href);
    receiver.nextAnswers.push(500);
    await deliverEvent(1);
    receiver.nextAnswers.push({ status: 302, headers: { location: target.href } });
    await deliverEvent(2);
    receiver.down = true;
    await deliverEvent(3);
    receiver.down = false;
    receiver.nextAnswers.push(410);
    await deliverEvent(4);
    await deliverEvent(5);
    expect(receiver.received.length).toBeGreaterThan(3);
    await ask("POST", `${PORTAL_API}/webhooks/{id}/test`, { ...admin, query, in: [id] });
    const rotated = await ask("POST", `${PORTAL_API}/webhooks/{id}/rotate`, { ...admin, query, in: [id], once: true });
    secret("second signing secret", rotated.json.data.secret);
    await ask("GET", `${PORTAL_API}/webhooks`, { ...admin, query });
    await ask("PUT", `${PORTAL_API}/webhooks/{id}`, {
      ...admin,
      query,
      in: [id],
      body: { ...body, url: `ftp://x:${user}@h/` },
    });
  });

  it("a feed", async () => {
    const [user, token] = [secret("feed password"), secret("feed token")];
    let answer = (response: http.ServerResponse) => void response.writeHead(404).end("no");
    const server = http.createServer((_, response) => answer(response));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const url = `http://shop:${user}@127.0.0.1:${(server.address() as AddressInfo).port}/feed.csv?key=${token}`;
    const feed = { url, format: null, schedule: "daily", enabled: true, mapping: {}, kind: "products" };
    const made = await ask("POST", `${PORTAL_API}/feeds`, { ...admin, query, body: feed });
    expect(made.status).toBe(201);
    const { id } = made.json.data;
    const network = { allows: () => true };
    const run = () =>
      runFeed(shop.id, id, { requested: true, network }).catch((error: Error) =>
        outputs.push({ by: "runFeed", text: `${error.stack}` }),
      );
    await run();
    answer = (response) => void response.writeHead(302, { location: `${url}&again=1` }).end();
    await run();
    answer = (response) => void response.writeHead(200, { "content-type": "text/csv" }).end("\0\u0001 nothing");
    await run();
    answer = (response) =>
      void response.writeHead(200, { "content-type": "text/csv" }).end("id,title,link\na,Lamp,https://s.example/a\n");
    await run();
    expect(await rowsOf("select id from products where client_id = $1 and id = 'a'", [shop.id])).toHaveLength(1);
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    await run();
    await ask("PUT", `${PORTAL_API}/feeds/{id}`, {
      ...admin,
      query,
      in: [id],
      body: { ...feed, url: `gopher://a:${user}@b/${token}` },
    });
    await ask("GET", `${PORTAL_API}/feeds`, { ...admin, query });
  });

  it("emails and their events", async () => {
    const mail = async (n: number) => {
      const id = await queueMail(
        {
          idempotencyKey: `secrets:${n}`,
          clientId: shop.id,
          kind: "test",
          to: "ada@example.org",
          from: "reviews@candor.example",
          replyTo: null,
          subject: "Hello",
          html: "<p>Hello</p>",
          text: "Hello",
          headers: {},
        },
        pool(),
      );
      await deliverMail(id).catch((error: Error) => outputs.push({ by: "deliverMail", text: `${error.stack}` }));
    };
    await mail(1); // no server listens there
    const { smtpFake } = await import("@/lib/tools/test/smtp-fake");
    const smtp = await smtpFake();
    process.env.SMTP_URL = smtp.settings(`shop:${marks.smtp}@`).SMTP_URL;
    vi.resetModules();
    const fresh = await import("@/lib/platform/mail/deliver-mail");
    const { queueMail: queue } = await import("@/lib/platform/mail/queue-mail");
    const refused = await queue(
      {
        idempotencyKey: "secrets:2",
        clientId: shop.id,
        kind: "test",
        to: "bo@example.org",
        from: "reviews@candor.example",
        replyTo: null,
        subject: "Hello",
        html: "<p>Hello</p>",
        text: "Hello",
        headers: {},
      },
      pool(),
    );
    await fresh
      .deliverMail(refused)
      .catch((error: Error) => outputs.push({ by: "deliverMail", text: `${error.stack}` }));
    await smtp.close();
    for (const signature of ["v1,bm8=", ""]) {
      const headers = { "svix-id": "m", "svix-timestamp": "1", "svix-signature": signature };
      const answer = await ask("POST", "/api/mail-events/{provider}", { in: ["resend"], headers, body: "{}" });
      expect(answer.status).toBe(401);
    }
  });

  it("people: passwords, two-factor codes and keys, in every place that accepts them", async () => {
    const person = await aUser("admin", { clients: [shop.id] });
    secret("password", person.password);
    const me = { headers: await sessionHeaders(person) };
    const wrong = secret("mistyped password");
    const factor = `${PORTAL_API}/account/second_factor`;
    await ask("POST", factor, { ...me, body: { password: wrong } });
    await ask("PUT", `${PORTAL_API}/account/password`, { ...me, body: { current: wrong, password: "short" } });
    const setup = await ask("POST", factor, { ...me, body: { password: person.password }, once: true });
    const totp = secret("second factor", setup.json.data.secret);
    await ask("POST", `${factor}/confirm`, { ...me, body: { code: "000000" } });
    const code = new TOTP({ secret: totp }).generate();
    const confirmed = await ask("POST", `${factor}/confirm`, { ...me, body: { code }, once: true });
    const codes: string[] = confirmed.json.data.recovery_codes;
    for (const [index, recoveryCode] of codes.entries()) secret(`code on paper ${index}`, recoveryCode);
    const headers = new Headers({ host: "127.0.0.1:3000" });
    await withNow(new Date(Date.now() + 5_000), async () => {
      await signInToPortal(person.username, wrong, headers);
      await signInToPortal(person.username, person.password, headers, codes[0]);
      await finishSignIn(secret("ticket"), codes[1] ?? "", headers);
    });
    await ask("GET", `${PORTAL_API}/account`, me);

    const key = secret("second API key", (await aKey([shop.id])).secret);
    const unknown = secret("unknown key", `sk_${randomBytes(24).toString("hex")}`);
    for (const one of [key, unknown]) {
      await ask("GET", "/v1/reviews", { query: `token=${one}` });
      await ask("GET", "/v1/reviews", { query: `token=${one}&limit=1&after=x` });
      await ask("GET", "/v1/reviews", { key: one, query: "limit=0" });
      await ask("GET", "/v1/reviews", { headers: { Authorization: basicHeader(one, "") } });
      await ask("GET", "/v1/orders/{id}", { query: `token=${one}`, in: [one] });
      await ask("POST", "/v1/reviews", { key: one, body: `{"review": "${one}"` });
      await ask("POST", "/v1/reviews", {
        key: one,
        headers: { "Idempotency-Key": "k" },
        body: { review: { score: 9 } },
      });
    }
    await ask("GET", "/v1/reviews", { headers: { Authorization: basicHeader(person.username, wrong) } });
    await ask("GET", "/v1/reviews", { headers: { Authorization: basicHeader(person.username, person.password) } });
  });

  it("every readable endpoint", async () => {
    const operator = { headers: await sessionHeaders(await aUser("operator")) };
    const known = {
      kind: ["engagement", "commerce", "share"],
      id: (
        await rowsOf("select id from webhooks union all select id from feeds union all select id from api_keys")
      ).map(({ id }) => id),
    };
    for (const { path: shape, method, auth } of contracts.filter(({ method }) => method === "GET")) {
      if (auth !== "session" && auth !== "management") continue;
      const places = shape.match(/\{\w+\}/g) ?? [];
      const ids = shape.includes("{kind}") && places.length === 1 ? known.kind : known.id;
      for (const id of places.length > 0 ? ids : [""])
        for (const who of [admin, operator])
          await ask(method as "GET", shape, { ...who, query, in: places.map(() => id) });
    }
    expect(outputs.filter(({ by }) => by.endsWith(" 200")).length).toBeGreaterThan(20);
  });

  it("the admin command", { timeout: 120_000 }, async () => {
    const admin = async (args: string[], input = "") => {
      const { out, err } = await startAdmin(args, { input, env: { LOG_LEVEL: "trace" } }).printed;
      outputs.push({ by: args.join(" "), text: out + err });
    };
    const wrong = secret("key on standard input");
    const set = ["integration", "set", "engagement", "--client", shop.id, "--secrets-stdin", "--set"];
    await admin([...set, "send_on=acceptance"], `{"api_key": "${wrong}"`);
    await admin([...set, "send_on=acceptance"], JSON.stringify({ api_key: wrong }));
    for (const args of [
      ["test", "engagement"],
      ["log", "commerce"],
    ])
      await admin(["integration", ...args, "--client", shop.id, "--json"]);
    await admin(["secrets", "rotate", "--json"]);
  });
});

describe("finds no secret:", () => {
  it("the search finds secrets in every encoding", () => {
    const value = secret("planted");
    for (const form of [
      value,
      `https://x/?a=${encodeURIComponent(value)}`,
      Buffer.from(`user:${value}`).toString("base64"),
      Buffer.from(`u:${value};more`).toString("base64url"),
      `\\x${Buffer.from(`{"a":"${value}"}`).toString("hex")}`,
    ])
      expect(secretsIn(`before ${form} after`)).toEqual(["planted"]);
    secrets.delete("planted");
    expect(secrets.size).toBeGreaterThan(30);
  });

  it("not in the database", async () => {
    const tables = await rowsOf(
      "select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname not in ('pg_catalog', 'information_schema')",
    );
    const found: string[] = [];
    let rows = 0;
    for (const { name } of tables)
      for (const { row } of await rowsOf(`select to_jsonb(t)::text as row from ${name} t`)) {
        rows += 1;
        for (const one of secretsIn(row)) found.push(`${name}: ${one}`);
      }
    expect([...new Set(found)]).toEqual([]);
    expect(rows).toBeGreaterThan(50);
  });

  it("not in the log", () => {
    log.flush();
    const all = logged.join("");
    expect(all).toContain("/v1/reviews");
    expect(secretsIn(all)).toEqual([]);
  });

  it("not in a response, an error or the output of a command", () => {
    const found = outputs.flatMap(({ by, text: words }) => secretsIn(words).map((one) => `${by}: ${one}`));
    expect([...new Set(found)]).toEqual([]);
    expect(outputs.length).toBeGreaterThan(100);
  });
});
