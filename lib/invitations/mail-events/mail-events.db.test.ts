import { createHmac, randomBytes } from "node:crypto";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { outcomeOfEvent } from "@/lib/invitations/mail-events/rules";
import type { ResendEvent } from "@/lib/invitations/mail-events/schema";
import { pool } from "@/lib/platform/db/pool";
import { personHash } from "@/lib/platform/secrets/person-hash";
import { emptyDatabase } from "@/lib/tools/test/database";
import { makeClient } from "@/lib/tools/test/invitation-rows";

const secret = `whsec_${randomBytes(24).toString("base64")}`;

/** Loads the route with the webhook's secret, since settings are read once per process. */
async function route(settings: Record<string, string> = { RESEND_WEBHOOK_SECRET: secret }) {
  vi.resetModules();
  delete process.env.RESEND_WEBHOOK_SECRET;
  Object.assign(process.env, settings);
  return import("@/app/api/mail-events/[provider]/route");
}

type Signing = { key?: string; at?: number; id?: string };

/** Builds a request signed as Resend does. */
function signed(event: unknown, { key = secret, at = Date.now(), id = "msg_1" }: Signing = {}, provider = "resend") {
  const body = typeof event === "string" ? event : JSON.stringify(event);
  const timestamp = String(Math.floor(at / 1000));
  const mac = createHmac("sha256", Buffer.from(key.slice("whsec_".length), "base64"))
    .update(`${id}.${timestamp}.${body}`)
    .digest("base64");
  return new Request(`http://localhost:3000/api/mail-events/${provider}`, {
    method: "POST",
    body,
    headers: {
      "content-type": "application/json",
      "svix-id": id,
      "svix-timestamp": timestamp,
      "svix-signature": `v1,${Buffer.from("another").toString("base64")} v1,${mac}`,
    },
  });
}

const at = "2026-03-08T10:00:00.000Z";
const event = (type: string, more: object = {}, created_at = at) => ({
  type,
  created_at,
  data: { email_id: "re_1", to: ["anna@x.example"], subject: "Hej", ...more },
});
const bounce = { bounce: { type: "Permanent", subType: "General", message: "gone" } };

let client: string;
let shops = 0;
beforeEach(async () => {
  await emptyDatabase();
  client = await makeClient(`told-${++shops}`);
  await pool().query(
    `insert into mails (id, client_id, idempotency_key, kind, "to", to_key, "from", subject, status, provider, provider_id, sent_at)
     values ('mail_1', $1, 'invitation:1', 'invitation', 'Anna@x.example', 'anna@x.example', 's@x.example', 'Hej', 'sent', 'resend', 're_1', '2026-03-08T09:00:00Z')`,
    [client],
  );
  await pool().query(
    `insert into invitations (client_id, id, customer_id, email, email_key, status, day, mail_id, sent_at)
     values ($1, 'inv_1', 'k1', 'Anna@x.example', 'anna@x.example', 'sent', '2026-03-08', 'mail_1', '2026-03-08T09:00:00Z')`,
    [client],
  );
});

const reasons = async () =>
  (await pool().query("select reason from suppressions order by 1")).rows.map((r) => r.reason);
const invitation = async () =>
  (await pool().query("select delivered_at, bounced_at, opened_at, clicked_at from invitations")).rows[0];
const facts = async () => (await pool().query("select name, data from outbox")).rows;

describe("a signed event", () => {
  test("of a permanent bounce suppresses the address, and is recorded once if repeated", async () => {
    const { POST } = await route();
    const requests = Array.from({ length: 4 }, () => POST(signed(event("email.bounced", bounce))));
    expect((await Promise.all(requests)).map(({ status }) => status)).toEqual([204, 204, 204, 204]);
    const { rows } = await pool().query("select client_id, email_hash, reason from suppressions");
    expect(rows).toEqual([
      { client_id: client, email_hash: personHash(client, "email", "anna@x.example"), reason: "bounce" },
    ]);
    expect(await invitation()).toMatchObject({ bounced_at: new Date(at), delivered_at: null });
    expect(await facts()).toEqual([
      { name: "invitation/bounced", data: { client_id: client, invitation_id: "inv_1" } },
    ]);
  });

  test("of a full mailbox ends this email only", async () => {
    const { POST } = await route();
    await POST(
      signed(event("email.bounced", { bounce: { type: "Transient", subType: "MailboxFull", message: "full" } })),
    );
    expect(await reasons()).toEqual([]);
    expect(await invitation()).toMatchObject({ bounced_at: new Date(at) });
  });

  test("of a complaint suppresses the address despite an opt-out; deliveries, opens and clicks are recorded in any order", async () => {
    const { POST } = await route();
    await pool().query("insert into suppressions (client_id, email_hash, reason) values ($1, $2, 'opt_out')", [
      client,
      personHash(client, "email", "anna@x.example"),
    ]);
    for (const type of ["email.opened", "email.clicked", "email.complained"]) await POST(signed(event(type)));
    await POST(signed(event("email.delivered", {}, "2026-03-08T09:00:01.000Z")));
    await POST(signed(event("email.opened", {}, "2026-03-09T09:00:01.000Z")));
    expect(await reasons()).toEqual(["complaint", "opt_out"]);
    const seen = new Date(at);
    expect(await invitation()).toEqual({ delivered_at: seen, bounced_at: null, opened_at: seen, clicked_at: seen });
    expect(await facts()).toEqual([]);
  });

  test("finds its email by our tag before the service's id is stored", async () => {
    const { POST } = await route();
    await pool().query("update mails set provider_id = null, status = 'queued', sent_at = null");
    await POST(signed(event("email.delivered", { tags: { mail: "mail_1" } })));
    expect(await invitation()).toMatchObject({ delivered_at: new Date(at) });
  });

  test("is processed even if optional fields have another shape", async () => {
    const { POST } = await route();
    const odd = { tags: [{ name: "mail", value: 1 }], open: "yes", click: null };
    await POST(signed(event("email.opened", { ...odd, open: { userAgent: 7 } })));
    expect(await invitation()).toMatchObject({ opened_at: new Date(at) });
    await POST(signed(event("email.bounced", { ...odd, bounce: "hard" })));
    expect(await invitation()).toMatchObject({ bounced_at: new Date(at) });
    expect(await reasons()).toEqual([]);
    await POST(signed(event("email.bounced", { ...odd, ...bounce })));
    expect(await reasons()).toEqual(["bounce"]);
  });

  test("of a template test email suppresses nothing", async () => {
    const { POST } = await route();
    await pool().query("update mails set kind = 'test'");
    for (const type of ["email.bounced", "email.complained"]) await POST(signed(event(type, bounce)));
    expect(await reasons()).toEqual([]);
  });

  test("of an unknown email, type or shape has no effect", async () => {
    const { POST } = await route();
    for (const ignoredEvent of [
      event("email.bounced", { ...bounce, email_id: "re_other" }),
      event("email.delivery_delayed"),
      { type: "contact.created", created_at: at, data: { id: "c" } },
      [],
    ])
      expect((await POST(signed(ignoredEvent))).status).toBe(204);
    expect(await reasons()).toEqual([]);
    expect(await invitation()).toEqual({ delivered_at: null, bounced_at: null, opened_at: null, clicked_at: null });
  });
});

test("rejects requests without a valid signature", async () => {
  const { POST } = await route();
  const invalidRequests = [
    signed(event("email.bounced", bounce), { key: `whsec_${randomBytes(24).toString("base64")}` }),
    signed(event("email.bounced", bounce), { at: Date.now() - 10 * 60_000 }),
    signed(event("email.bounced", bounce), { at: Date.now() + 10 * 60_000 }),
    new Request(signed(event("email.bounced", bounce)), {
      body: JSON.stringify(event("email.complained")),
      method: "POST",
    }),
    new Request("http://localhost:3000/api/mail-events/resend", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(event("email.bounced", bounce)),
    }),
  ];
  for (const request of invalidRequests) expect((await POST(request)).status).toBe(401);
  expect((await POST(signed(event("email.bounced", bounce), {}, "other"))).status).toBe(404);
  expect((await (await route({})).POST(signed(event("email.bounced", bounce)))).status).toBe(404);
  expect(await reasons()).toEqual([]);
});

test("ignores opens and clicks by bots", () => {
  const sent = new Date("2026-03-08T09:00:00Z");
  const of = (type: string, more: object, when = at) =>
    outcomeOfEvent({ type, created_at: when, data: { email_id: "e", ...more } } as ResendEvent, sent)?.outcome ?? null;
  expect(of("email.opened", { open: { userAgent: "Mozilla/5.0" } })).toBeNull();
  expect(of("email.opened", { open: { userAgent: "Mozilla/5.0 (Windows NT 10.0) GoogleImageProxy" } })).toBe("opened");
  expect(of("email.opened", {}, "2026-03-08T09:00:03Z")).toBeNull();
  expect(of("email.clicked", { click: { userAgent: "BarracudaCentral scanner" } })).toBeNull();
  expect(of("email.clicked", { click: { userAgent: "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0)" } })).toBe("clicked");
});
