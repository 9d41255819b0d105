import PostalMime from "postal-mime";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { pool } from "@/lib/platform/db/pool";
import { emptyDatabase } from "@/lib/tools/test/database";
import { startProgram } from "@/lib/tools/test/program";
import { type ResendFailure, resendFake } from "@/lib/tools/test/resend-fake";
import { type SmtpFailure, smtpFake } from "@/lib/tools/test/smtp-fake";

// Settings are read once per process: each test reloads the modules with its own.
async function mailWith(settings: Record<string, string>) {
  vi.resetModules();
  for (const name of names) delete process.env[name];
  Object.assign(process.env, settings);
  // A pause requested by the service lasts as long as the process.
  (await import("@/lib/platform/process")).perProcess("mail-pause", () => ({ until: 0 })).until = 0;
  const { deliverMail } = await import("@/lib/platform/mail/deliver-mail");
  const { deliverMails } = await import("@/lib/platform/mail/deliver-mails");
  const { queueMail } = await import("@/lib/platform/mail/queue-mail");
  return { deliverMail, deliverMails, queueMail };
}

const names = ["RESEND_API_KEY", "RESEND_BASE_URL", "SMTP_URL", "MAIL_FROM", "MAIL_TIMEOUT"];

const email = {
  idempotencyKey: "invitation:shop:inv_1",
  clientId: "shop",
  kind: "invitation",
  to: "anna@x.example",
  from: `"Lampor, Ljus" <omdome@lampor.example>`,
  replyTo: "hej@lampor.example",
  subject: "Vad tycker du\r\nBcc: x@y.example",
  html: "<p>Hej å</p>",
  text: "Hej å",
  headers: { "List-Unsubscribe": "<https://x.example/o/t>", "List-Unsubscribe-Post": "List-Unsubscribe=One-Click" },
};

const row = async () => (await pool().query("select * from mails")).rows[0];
const ends: (() => Promise<unknown>)[] = [];
beforeEach(emptyDatabase);
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
  for (const name of names) delete process.env[name];
});

async function resend(failures: ResendFailure[] = [], options: Parameters<typeof resendFake>[1] = {}) {
  const service = await resendFake(failures, options);
  ends.push(service.close);
  return service;
}

async function mailServer(failures: SmtpFailure[] = []) {
  const server = await smtpFake(failures);
  ends.push(server.close);
  return server;
}

const states = ({ states }: { states: Map<string, string> }) => [...states.values()].sort();

test("queues an email once per idempotency key, also concurrently", async () => {
  const { queueMail } = await mailWith({});
  const ids = await Promise.all(Array.from({ length: 8 }, () => queueMail(email)));
  expect(new Set(ids).size).toBe(1);
  expect(await row()).toMatchObject({ to_key: "anna@x.example", subject: "Vad tycker du Bcc: x@y.example" });
});

test("stores the complete email without an email service", async () => {
  const { queueMail, deliverMail } = await mailWith({});
  const id = await queueMail(email);
  expect(await Promise.all([deliverMail(id), deliverMail(id)])).toEqual(["kept", "kept"]);
  expect(await row()).toMatchObject({ status: "kept", html: email.html, text: email.text });
  expect(await deliverMail("mail_unknown")).toBe("gone");
});

describe("Resend", () => {
  test("receives the complete email with its idempotency key; its text is then deleted here", async () => {
    const service = await resend();
    const { queueMail, deliverMail } = await mailWith(service.settings);
    const id = await queueMail(email);
    expect(await deliverMail(id)).toBe("sent");
    expect(await deliverMail(id)).toBe("sent");
    expect(service.calls).toMatchObject([{ path: "/emails", key: email.idempotencyKey }]);
    expect(service.sent).toMatchObject([
      {
        from: email.from,
        to: email.to,
        reply_to: email.replyTo,
        subject: "Vad tycker du Bcc: x@y.example",
        html: email.html,
        text: email.text,
        headers: email.headers,
        tags: [{ name: "mail", value: id }],
      },
    ]);
    expect(await row()).toMatchObject({
      status: "sent",
      html: null,
      text: null,
      handed_at: null,
      provider: "resend",
      provider_id: "re_1",
    });
  });

  test("is retried with the same key if it's overloaded, failing or not responding", async () => {
    const service = await resend([
      { status: 429, name: "rate_limit_exceeded" },
      { status: 500, name: "internal_server_error" },
      { status: 502, text: "<html>Bad gateway</html>" },
      "hang up before",
      "hang up after",
      "never answer",
      // It is still processing the previous request with this key.
      { status: 409, name: "concurrent_idempotent_requests" },
    ]);
    const { queueMail, deliverMail } = await mailWith({ ...service.settings, MAIL_TIMEOUT: "1" });
    const id = await queueMail(email);
    for (let n = 0; n < 7; n++) await expect(deliverMail(id)).rejects.toMatchObject({ code: "unavailable" });
    expect(await deliverMail(id)).toBe("sent");
    expect(new Set(service.calls.map(({ key }) => key))).toEqual(new Set([email.idempotencyKey]));
    expect(service.sent).toHaveLength(1);
    expect(await row()).toMatchObject({ status: "sent", attempts: 8, error: null, provider_id: "re_1" });
  });

  test.each([
    ["seconds", () => "1"],
    ["a date", () => new Date(Math.ceil(Date.now() / 1000) * 1000 + 2_000).toUTCString()],
  ])("pauses all emails after a 429 with Retry-After as %s", async (_, retryAfter) => {
    const service = await resend([{ status: 429, name: "rate_limit_exceeded", retryAfter: retryAfter() }]);
    const { queueMail, deliverMail } = await mailWith(service.settings);
    const id = await queueMail(email);
    const other = await queueMail({ ...email, idempotencyKey: "other", to: "bo@x.example" });
    const error = await deliverMail(id).catch((error: { headers: Record<string, string> }) => error);
    expect(Number((error as { headers: Record<string, string> }).headers["Retry-After"])).toBeGreaterThanOrEqual(1);
    // No requests are made meanwhile, and nothing is stored about it.
    await expect(deliverMail(other)).rejects.toMatchObject({
      code: "unavailable",
      headers: { "Retry-After": expect.any(String) },
    });
    expect(service.calls).toHaveLength(1);
    expect(await row()).toMatchObject({ status: "queued", handed_at: null, doubtful_since: null });
    await vi.waitFor(async () => expect(await deliverMail(id)).toBe("sent"), { timeout: 5_000, interval: 200 });
    expect(await deliverMail(other)).toBe("sent");
  });

  test("a rejected email fails permanently", async () => {
    const service = await resend([], { refuse: () => true });
    const { queueMail, deliverMail } = await mailWith(service.settings);
    const id = await queueMail(email);
    expect(await deliverMail(id)).toBe("failed");
    expect(await deliverMail(id)).toBe("failed");
    expect(service.calls).toHaveLength(1);
  });

  test("doesn't resend an email that may have been sent once its idempotency key has expired", async () => {
    const service = await resend(["hang up after", { status: 429, name: "rate_limit_exceeded" }]);
    const { queueMail, deliverMail } = await mailWith(service.settings);
    const id = await queueMail(email);
    for (let n = 0; n < 2; n++) await expect(deliverMail(id)).rejects.toMatchObject({ code: "unavailable" });
    // The later rejection doesn't reveal the result of the first attempt.
    await pool().query("update mails set doubtful_since = doubtful_since - interval '24 hours'");
    service.clearIdempotencyKeys();
    expect(await deliverMail(id)).toBe("failed");
    expect(service.sent).toHaveLength(1);
    expect(service.calls).toHaveLength(2);
  });

  test("keeps emails queued after a definite rejection, also while the account is locked", async () => {
    const service = await resend([
      { status: 429, name: "daily_quota_exceeded" },
      { status: 403, name: "validation_error", message: "domain not verified" },
      { status: 401, name: "invalid_api_key" },
    ]);
    const { queueMail, deliverMail } = await mailWith(service.settings);
    const id = await queueMail(email);
    for (let n = 0; n < 3; n++) {
      await expect(deliverMail(id)).rejects.toMatchObject({ code: "unavailable" });
      expect(await row()).toMatchObject({ status: "queued", handed_at: null, doubtful_since: null });
    }
    expect(await deliverMail(id)).toBe("sent");
  });

  test("treats an empty response as no response", async () => {
    const service = await resend([{ status: 200, text: "null" }]);
    const { queueMail, deliverMail } = await mailWith(service.settings);
    const id = await queueMail(email);
    await expect(deliverMail(id)).rejects.toMatchObject({ code: "unavailable" });
    expect(await deliverMail(id)).toBe("sent");
  });

  test("stores the error without characters the database rejects", async () => {
    const service = await resend([
      { status: 500, name: "internal_server_error", message: "No\0t\ud83d now, an\0na@x.example" },
      { status: 200, text: '{"id":"re_\\u0000\\ud83d1"}' },
    ]);
    const { queueMail, deliverMail } = await mailWith(service.settings);
    const id = await queueMail(email);
    await expect(deliverMail(id)).rejects.toMatchObject({ code: "unavailable" });
    expect((await row()).error).toContain("Not\ufffd now, ***");
    expect(await deliverMail(id)).toBe("sent");
    expect(await row()).toMatchObject({ status: "sent", provider_id: "re_\ufffd1" });
  });

  test("several processes send it once, and a dead process's lease is reclaimed", async () => {
    const service = await resend();
    const { queueMail, deliverMail } = await mailWith(service.settings);
    const id = await queueMail(email);
    const states = await Promise.all(Array.from({ length: 5 }, () => deliverMail(id)));
    expect(service.calls).toHaveLength(1);
    expect(states).toContain("sent");
    await pool().query(
      "update mails set status = 'queued', html = $1, text = $2, handed_at = clock_timestamp() - interval '30 seconds'",
      [email.html, email.text],
    );
    expect(await deliverMail(id)).toBe("busy");
    await pool().query("update mails set handed_at = clock_timestamp() - interval '20 minutes'");
    expect(await deliverMail(id)).toBe("sent");
    expect(service.sent).toHaveLength(1);
  });

  test.each([1, 3])(
    "sends emails of a killed process (%i) once, a minute later",
    async (count) => {
      const service = await resend(["never answer"]);
      const { queueMail, deliverMails } = await mailWith(service.settings);
      const ids: string[] = [];
      for (let n = 0; n < count; n++) ids.push(await queueMail({ ...email, idempotencyKey: `killed ${n}` }));
      const killed = startProgram("lib/tools/test/deliver-mail-process.ts", ids);
      await vi.waitFor(() => expect(service.calls).toHaveLength(1), { timeout: 20_000 });
      await killed.kill();
      expect(states(await deliverMails(ids))).toEqual(Array(count).fill("busy"));
      await pool().query("update mails set handed_at = handed_at - interval '1 minute'");
      expect(states(await deliverMails(ids))).toEqual(Array(count).fill("sent"));
      expect(service.sent).toHaveLength(count);
    },
    30_000,
  );

  test("a slow send keeps its lease, and an expired lease isn't renewed", async () => {
    const service = await resend(["never answer"]);
    const { queueMail, deliverMail } = await mailWith({ ...service.settings, MAIL_TIMEOUT: "5" });
    const id = await queueMail(email);
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    const sending = expect(deliverMail(id)).rejects.toMatchObject({ code: "unavailable" });
    try {
      await vi.waitFor(() => expect(service.calls).toHaveLength(1));
      const ageSet = (seconds: number) =>
        pool().query("update mails set handed_at = clock_timestamp() - $1 * interval '1 second'", [seconds]);
      const age = async () => Date.now() - (await row()).handed_at.getTime();
      await ageSet(50);
      await vi.advanceTimersByTimeAsync(20_000);
      await vi.waitFor(async () => expect(await age()).toBeLessThan(40_000));
      expect(await deliverMail(id)).toBe("busy");
      await ageSet(70);
      const { renewLeases } = await import("@/lib/platform/mail/sql");
      await renewLeases([id]);
      expect(await age()).toBeGreaterThan(60_000);
    } finally {
      vi.useRealTimers();
    }
    await sending;
    expect(service.calls).toHaveLength(1);
  }, 20_000);
});

test("sends overdue emails, except invitations", async () => {
  const service = await resend();
  const { queueMail } = await mailWith(service.settings);
  const { deliverOverdueMails } = await import("@/lib/platform/mail/deliver-overdue");
  const old = await queueMail({ ...email, idempotencyKey: "old", kind: "verification" });
  await queueMail({ ...email, idempotencyKey: "asks", kind: "invitation" });
  await pool().query("update mails set created_at = now() - interval '4 hours'");
  await queueMail({ ...email, idempotencyKey: "new", kind: "verification" });
  expect(await deliverOverdueMails()).toEqual({ sent: 1 });
  expect(service.calls.map(({ key }) => key)).toEqual(["old"]);
  expect(await deliverOverdueMails()).toEqual({});
  expect(service.sent[0]?.tags).toEqual([{ name: "mail", value: old }]);
});

describe("Resend batches", () => {
  /** Queues `count` emails to k0@…, k1@…; returns their ids. */
  const many = async (queueMail: (mail: typeof email) => Promise<string>, count: number) => {
    const ids: string[] = [];
    for (let n = 0; n < count; n++)
      ids.push(await queueMail({ ...email, idempotencyKey: `m${n}`, to: `k${n}@x.example` }));
    return ids;
  };
  const reached = (service: { sent: { to: string | string[] }[] }) => service.sent.map(({ to }) => String(to)).sort();

  test("are sent in batches of a hundred, each with its own tag", async () => {
    const service = await resend();
    const { queueMail, deliverMails } = await mailWith(service.settings);
    const ids = await many(queueMail, 130);
    expect(new Set((await deliverMails(ids)).states.values())).toEqual(new Set(["sent"]));
    expect(service.calls.map(({ path, emails: letters }) => [path, letters.length])).toEqual([
      ["/emails/batch", 100],
      ["/emails/batch", 30],
    ]);
    expect(new Set(reached(service)).size).toBe(130);
    const { rows } = await pool().query("select id, provider_id, batch from mails");
    for (const { id, provider_id, batch } of rows) {
      expect(batch).toBeNull();
      expect(service.sent.find((mail) => mail.id === provider_id)?.tags).toEqual([{ name: "mail", value: id }]);
    }
  });

  test("lose and duplicate no email if the service fails, hangs or disconnects, in any order of retries", async () => {
    const service = await resend([
      "hang up after",
      { status: 503 },
      "never answer",
      { status: 429, name: "rate_limit_exceeded" },
      "hang up before",
    ]);
    const { queueMail, deliverMail, deliverMails } = await mailWith({ ...service.settings, MAIL_TIMEOUT: "1" });
    const ids = await many(queueMail, 5);
    expect(states(await deliverMails(ids))).toEqual(Array(5).fill("later"));
    // One of them alone, some with new ones, or all: emails that may have been sent are retried only in the same batch.
    const fresh = await queueMail({ ...email, idempotencyKey: "fresh", to: "fresh@x.example" });
    await expect(deliverMail(ids[3] as string)).rejects.toMatchObject({ code: "unavailable" });
    await deliverMails([...ids.slice(0, 2), fresh]);
    for (let n = 0; n < 4; n++) await deliverMails([...ids, fresh]);
    expect(states(await deliverMails([...ids, fresh]))).toEqual(Array(6).fill("sent"));
    expect(reached(service)).toEqual([...ids.map((_, n) => `k${n}@x.example`), "fresh@x.example"].sort());
    const batches = service.calls.filter(({ emails: letters }) => letters.length === 5);
    expect(new Set(batches.map(({ key }) => key)).size).toBe(1);
    expect(new Set(batches.map(({ emails: letters }) => JSON.stringify(letters))).size).toBe(1);
  });

  test("can be sent in other batches after a definite rejection", async () => {
    const service = await resend([{ status: 429, name: "daily_quota_exceeded" }]);
    const { queueMail, deliverMails } = await mailWith(service.settings);
    const ids = await many(queueMail, 4);
    expect(states(await deliverMails(ids.slice(0, 3)))).toEqual(Array(3).fill("later"));
    expect(states(await deliverMails(ids.slice(1)))).toEqual(Array(3).fill("sent"));
    expect(states(await deliverMails(ids))).toEqual(Array(4).fill("sent"));
    expect(service.sent).toHaveLength(4);
  });

  test("send the accepted emails if half are rejected, each with its own id", async () => {
    const refuse = ({ to }: { to: string | string[] }) => /k[13]@/.test(String(to));
    const service = await resend([], { refuse });
    const { queueMail, deliverMails } = await mailWith(service.settings);
    const ids = await many(queueMail, 5);
    const { states } = await deliverMails(ids);
    expect(ids.map((id) => states.get(id))).toEqual(["sent", "failed", "sent", "failed", "sent"]);
    const { rows } = await pool().query(`select "to", provider_id, error from mails where status = 'sent'`);
    for (const { to, provider_id } of rows) expect(service.sent.find(({ id }) => id === provider_id)?.to).toBe(to);
    const { rows: failed } = await pool().query("select error from mails where status = 'failed'");
    expect(JSON.stringify(failed)).not.toContain("@x.example");
  });

  test("are retried one by one if rejected as a whole", async () => {
    const service = await resend([{ status: 422, name: "validation_error", message: "something in it is wrong" }]);
    const { queueMail, deliverMails } = await mailWith(service.settings);
    const ids = await many(queueMail, 3);
    expect(states(await deliverMails(ids))).toEqual(Array(3).fill("sent"));
    expect(service.calls.map(({ path }) => path)).toEqual(["/emails/batch", "/emails", "/emails", "/emails"]);
  });

  test("aren't retried if they may have been sent and are then rejected as a whole", async () => {
    const service = await resend(["hang up after", { status: 422, name: "validation_error", message: "no more" }]);
    const { queueMail, deliverMails } = await mailWith(service.settings);
    const ids = await many(queueMail, 3);
    expect(states(await deliverMails(ids))).toEqual(Array(3).fill("later"));
    expect(states(await deliverMails(ids))).toEqual(Array(3).fill("failed"));
    expect(service.sent).toHaveLength(3);
    expect(service.calls.map(({ path }) => path)).toEqual(["/emails/batch", "/emails/batch"]);
  });

  test("aren't sent twice if other emails of the batch were erased", async () => {
    const service = await resend(["hang up after"]);
    const { queueMail, deliverMails } = await mailWith(service.settings);
    const ids = await many(queueMail, 3);
    await deliverMails(ids);
    await pool().query("delete from mails where id = $1", [ids[0]]);
    expect(states(await deliverMails(ids))).toEqual(["failed", "failed", "gone"]);
    expect(service.sent).toHaveLength(3);
  });

  test("are sent once by concurrent processes", async () => {
    const service = await resend(["hang up after"]);
    const { queueMail, deliverMails } = await mailWith(service.settings);
    const ids = await many(queueMail, 20);
    for (let round = 0; round < 3; round++)
      await Promise.all(Array.from({ length: 4 }, (_, lane) => deliverMails(lane % 2 ? ids : ids.toReversed())));
    expect(new Set(reached(service)).size).toBe(20);
    expect(service.sent).toHaveLength(20);
    const { rows } = await pool().query("select distinct status from mails");
    expect(rows).toEqual([{ status: "sent" }]);
  });

  test("of a dead process are sent together by another", async () => {
    const service = await resend();
    const { queueMail, deliverMails } = await mailWith(service.settings);
    const ids = await many(queueMail, 3);
    await pool().query("update mails set batch = 'batch_dead', handed_at = clock_timestamp() - interval '30 seconds'");
    expect(states(await deliverMails(ids))).toEqual(Array(3).fill("busy"));
    await pool().query("update mails set handed_at = clock_timestamp() - interval '20 minutes'");
    expect(states(await deliverMails(ids.slice(0, 1)))).toEqual(["sent"]);
    expect(service.calls).toMatchObject([{ key: "batch_dead" }]);
    expect(service.sent).toHaveLength(3);
  });
});

describe("SMTP", () => {
  test("sends both texts, the sender, the headers and a stable Message-ID", async () => {
    const server = await mailServer();
    const { queueMail, deliverMail } = await mailWith(server.settings("shop:p%40ss@"));
    const id = await queueMail(email);
    expect(await deliverMail(id)).toBe("sent");
    expect(await deliverMail(id)).toBe("sent");
    expect(server.received).toHaveLength(1);
    const mail = await PostalMime.parse(server.received[0] ?? "");
    const header = (key: string) => mail.headers.find((one) => one.key === key)?.value;
    expect(mail.from).toEqual({ name: "Lampor, Ljus", address: "omdome@lampor.example" });
    expect(mail.replyTo).toMatchObject([{ address: "hej@lampor.example" }]);
    expect(mail.text?.trim()).toBe("Hej å");
    expect(mail.html?.trim()).toBe("<p>Hej å</p>");
    expect(header("list-unsubscribe")).toBe("<https://x.example/o/t>");
    expect(header("list-unsubscribe-post")).toBe("List-Unsubscribe=One-Click");
    expect(header("bcc")).toBeUndefined();
    expect(mail.messageId).toMatch(/^<[0-9a-f]{40}@lampor\.example>$/);
  });

  test("retries temporary errors and an unavailable server, but not rejections", async () => {
    const server = await mailServer([{ connect: 421 }, { rcpt: 451 }, { data: 452 }, { rcpt: 550 }]);
    const { queueMail, deliverMail } = await mailWith(server.settings());
    const id = await queueMail(email);
    for (let n = 0; n < 3; n++) await expect(deliverMail(id)).rejects.toMatchObject({ code: "unavailable" });
    expect(await deliverMail(id)).toBe("failed");
    expect(server.received).toEqual([]);
    const absent = await mailWith({ SMTP_URL: "smtp://127.0.0.1:9", MAIL_FROM: "reviews@candor.example" });
    const other = await absent.queueMail({ ...email, idempotencyKey: "other" });
    await expect(absent.deliverMail(other)).rejects.toMatchObject({ code: "unavailable" });
  });

  test("keeps the email queued with a wrong password", async () => {
    const server = await mailServer();
    const { queueMail, deliverMail } = await mailWith(server.settings("shop:wrong@"));
    const id = await queueMail(email);
    await expect(deliverMail(id)).rejects.toMatchObject({ code: "unavailable" });
    expect(await row()).toMatchObject({ status: "queued", handed_at: null });
  });

  test("keeps the email queued if the connection or sender is rejected", async () => {
    const server = await mailServer([{ connect: 554 }, { from: 550 }, { rcpt: 530 }]);
    const { queueMail, deliverMail } = await mailWith(server.settings());
    const id = await queueMail(email);
    for (let n = 0; n < 3; n++) await expect(deliverMail(id)).rejects.toMatchObject({ code: "unavailable" });
    expect(await deliverMail(id)).toBe("sent");
    expect(server.received).toHaveLength(1);
  });

  test("doesn't retry if the response is lost after the text was sent", async () => {
    const server = await mailServer([{ data: "hang up" }]);
    const { queueMail, deliverMail } = await mailWith(server.settings());
    const id = await queueMail(email);
    expect(await deliverMail(id)).toBe("failed");
    expect(await deliverMail(id)).toBe("failed");
    expect(server.received).toHaveLength(1);
  });

  test("doesn't retry after a timeout", async () => {
    const server = await mailServer([{ data: "never answer" }]);
    const { queueMail, deliverMail } = await mailWith({ ...server.settings(), MAIL_TIMEOUT: "1" });
    const id = await queueMail(email);
    expect(await deliverMail(id)).toBe("failed");
    expect(server.received).toHaveLength(1);
  });

  test("sends many emails concurrently, each independently", async () => {
    const server = await mailServer([{ rcpt: 550 }, { rcpt: 451 }]);
    const { queueMail, deliverMails } = await mailWith(server.settings());
    const ids = [];
    for (let n = 0; n < 9; n++) ids.push(await queueMail({ ...email, idempotencyKey: `m${n}`, to: `k${n}@x.example` }));
    expect(states(await deliverMails(ids))).toEqual(["failed", "later", ...Array(7).fill("sent")]);
    expect(states(await deliverMails(ids))).toEqual(["failed", ...Array(8).fill("sent")]);
    expect(server.received).toHaveLength(8);
  });

  test("reuses connections for several emails", async () => {
    const server = await mailServer();
    const { queueMail, deliverMail, deliverMails } = await mailWith(server.settings("shop:p%40ss@"));
    const ids = [];
    for (let n = 0; n < 24; n++)
      ids.push(await queueMail({ ...email, idempotencyKey: `m${n}`, to: `k${n}@x.example` }));
    for (const id of ids.slice(0, 4)) expect(await deliverMail(id)).toBe("sent");
    expect(server.connected()).toBe(1);
    expect(states(await deliverMails(ids))).toEqual(Array(24).fill("sent"));
    expect(server.received).toHaveLength(24);
    expect(server.connected()).toBeLessThanOrEqual(4);
  });

  test("continues on the same connection after a rejected email", async () => {
    const server = await mailServer([{}, { rcpt: 550 }, {}, { data: 554 }]);
    const { queueMail, deliverMail } = await mailWith(server.settings());
    const results = [];
    for (let n = 0; n < 5; n++)
      results.push(await deliverMail(await queueMail({ ...email, idempotencyKey: `m${n}`, to: `k${n}@x.example` })));
    expect(results).toEqual(["sent", "failed", "sent", "failed", "sent"]);
    expect(server.connected()).toBe(1);
  });

  test("replaces a connection that the server closed, and sends each email once", async () => {
    const server = await mailServer();
    const { queueMail, deliverMail } = await mailWith(server.settings());
    for (let n = 0; n < 3; n++) {
      expect(await deliverMail(await queueMail({ ...email, idempotencyKey: `m${n}` }))).toBe("sent");
      server.disconnect();
    }
    expect(server.received).toHaveLength(3);
  });

  test("doesn't retry if the response is lost on a reused connection", async () => {
    const server = await mailServer([{}, { data: "hang up" }]);
    const { queueMail, deliverMail } = await mailWith(server.settings());
    expect(await deliverMail(await queueMail({ ...email, idempotencyKey: "first" }))).toBe("sent");
    const id = await queueMail({ ...email, idempotencyKey: "second" });
    expect(await deliverMail(id)).toBe("failed");
    expect(await deliverMail(id)).toBe("failed");
    expect(server.received).toHaveLength(2);
  });

  test("doesn't retry an email whose process died while sending it", async () => {
    const server = await mailServer();
    const { queueMail, deliverMail } = await mailWith(server.settings());
    const id = await queueMail(email);
    await pool().query("update mails set handed_at = clock_timestamp() - interval '20 minutes'");
    expect(await deliverMail(id)).toBe("failed");
    expect(server.received).toEqual([]);
    expect((await row()).error).toContain("isn't sent again");
  });
});
