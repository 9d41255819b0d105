import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import PostalMime from "postal-mime";
import { SMTPServer } from "smtp-server";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { pool } from "@/lib/db/pool";
import { emptyDatabase } from "@/lib/test/database";

// Settings are read once a process: each test loads the modules anew with its own.
async function mailWith(settings: Record<string, string>) {
  vi.resetModules();
  for (const name of ["RESEND_API_KEY", "RESEND_BASE_URL", "SMTP_URL", "MAIL_FROM"]) delete process.env[name];
  Object.assign(process.env, settings);
  const { deliverMail } = await import("@/lib/mail/deliver-mail");
  const { queueMail } = await import("@/lib/mail/queue-mail");
  return { deliverMail, queueMail };
}

const letter = {
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
  for (const name of ["RESEND_API_KEY", "RESEND_BASE_URL", "SMTP_URL", "MAIL_FROM"]) delete process.env[name];
});

test("a key is written once, also by several at the same moment", async () => {
  const { queueMail } = await mailWith({});
  const ids = await Promise.all(Array.from({ length: 8 }, () => queueMail(letter)));
  expect(new Set(ids).size).toBe(1);
  expect(await row()).toMatchObject({ to_key: "anna@x.example", subject: "Vad tycker du Bcc: x@y.example" });
});

test("without a mail service a mail is kept whole", async () => {
  const { queueMail, deliverMail } = await mailWith({});
  const id = await queueMail(letter);
  expect(await Promise.all([deliverMail(id), deliverMail(id)])).toEqual(["kept", "kept"]);
  expect(await row()).toMatchObject({ status: "kept", html: letter.html, text: letter.text });
  expect(await deliverMail("mail_unknown")).toBe("gone");
});

/** A stand-in for Resend that keeps its promise on idempotency keys, and fails as told. */
async function resend(
  faults: ((request: IncomingMessage) => { status: number; body: object } | "hang up" | null)[] = [],
) {
  const sent = new Map<string, Record<string, unknown>>();
  const calls: { key: string; authorization: string | undefined }[] = [];
  const server: Server = createServer(async (request, response) => {
    const key = String(request.headers["idempotency-key"]);
    calls.push({ key, authorization: request.headers.authorization });
    const body = JSON.parse(await text(request));
    const fault = faults.shift()?.(request) ?? null;
    if (fault === "hang up") {
      sent.set(key, body); // taken, but the answer gets lost
      return void request.socket.destroy();
    }
    response.setHeader("content-type", "application/json");
    if (fault) return void response.writeHead(fault.status).end(JSON.stringify(fault.body));
    if (!sent.has(key)) sent.set(key, body);
    response.end(JSON.stringify({ id: `re_${key.length}` }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  ends.push(() => new Promise((resolve) => server.close(resolve)));
  const settings = {
    RESEND_API_KEY: "re_test",
    RESEND_BASE_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    MAIL_FROM: "Reviews <reviews@candor.example>",
  };
  return { sent, calls, settings };
}

describe("Resend", () => {
  test("gets the whole mail with its idempotency key; the text is then removed here", async () => {
    const service = await resend();
    const { queueMail, deliverMail } = await mailWith(service.settings);
    const id = await queueMail(letter);
    expect(await deliverMail(id)).toBe("sent");
    expect(await deliverMail(id)).toBe("sent");
    expect(service.calls).toEqual([{ key: letter.idempotencyKey, authorization: "Bearer re_test" }]);
    expect(service.sent.get(letter.idempotencyKey)).toMatchObject({
      from: letter.from,
      to: letter.to,
      reply_to: letter.replyTo,
      html: letter.html,
      text: letter.text,
      headers: letter.headers,
    });
    expect(await row()).toMatchObject({ status: "sent", html: null, text: null, handed_at: null, provider: "resend" });
  });

  test("an overloaded or lost service is asked again with the same key", async () => {
    const service = await resend([
      () => ({ status: 429, body: { statusCode: 429, name: "rate_limit_exceeded", message: "slow down" } }),
      () => ({ status: 500, body: { statusCode: 500, name: "internal_server_error", message: "oops" } }),
      () => "hang up",
    ]);
    const { queueMail, deliverMail } = await mailWith(service.settings);
    const id = await queueMail(letter);
    for (let n = 0; n < 3; n++) await expect(deliverMail(id)).rejects.toMatchObject({ code: "unavailable" });
    expect(await deliverMail(id)).toBe("sent");
    expect(service.sent.size).toBe(1);
    expect(await row()).toMatchObject({ status: "sent", attempts: 4, error: null });
  });

  test("a mail it refuses has failed for good", async () => {
    const service = await resend([
      () => ({ status: 422, body: { statusCode: 422, name: "validation_error", message: "Invalid `to`" } }),
    ]);
    const { queueMail, deliverMail } = await mailWith(service.settings);
    const id = await queueMail(letter);
    expect(await deliverMail(id)).toBe("failed");
    expect(await deliverMail(id)).toBe("failed");
    expect(service.calls).toHaveLength(1);
  });

  test("what may have gone is not sent again once the service has forgotten its key", async () => {
    const service = await resend([
      () => "hang up",
      () => ({ status: 429, body: { statusCode: 429, name: "rate_limit_exceeded", message: "slow down" } }),
    ]);
    const { queueMail, deliverMail } = await mailWith(service.settings);
    const id = await queueMail(letter);
    for (let n = 0; n < 2; n++) await expect(deliverMail(id)).rejects.toMatchObject({ code: "unavailable" });
    // The later refusal does not tell what became of the first try.
    await pool().query("update mails set doubtful_since = doubtful_since - interval '24 hours'");
    service.sent.clear();
    expect(await deliverMail(id)).toBe("failed");
    expect(service.sent.size).toBe(0);
    expect(service.calls).toHaveLength(2);
  });

  test("what was certainly refused waits as long as it takes, also while the account is locked", async () => {
    const service = await resend([
      () => ({ status: 429, body: { statusCode: 429, name: "daily_quota_exceeded", message: "enough" } }),
      () => ({ status: 403, body: { statusCode: 403, name: "validation_error", message: "domain not verified" } }),
    ]);
    const { queueMail, deliverMail } = await mailWith(service.settings);
    const id = await queueMail(letter);
    for (let n = 0; n < 2; n++) {
      await expect(deliverMail(id)).rejects.toMatchObject({ code: "unavailable" });
      expect(await row()).toMatchObject({ status: "queued", handed_at: null, doubtful_since: null });
    }
    expect(await deliverMail(id)).toBe("sent");
  });

  test("an answer that says nothing is no answer", async () => {
    const service = await resend([() => ({ status: 200, body: null as never })]);
    const { queueMail, deliverMail } = await mailWith(service.settings);
    const id = await queueMail(letter);
    await expect(deliverMail(id)).rejects.toMatchObject({ code: "unavailable" });
    expect(await deliverMail(id)).toBe("sent");
  });

  test("several processes hand it over once, and a dead one's lease is taken over", async () => {
    const service = await resend();
    const { queueMail, deliverMail } = await mailWith(service.settings);
    const id = await queueMail(letter);
    const states = await Promise.all(Array.from({ length: 5 }, () => deliverMail(id)));
    expect(service.calls).toHaveLength(1);
    expect(states).toContain("sent");
    await pool().query("update mails set status = 'queued', handed_at = clock_timestamp() - interval '1 minute'");
    expect(await deliverMail(id)).toBe("busy");
    await pool().query("update mails set handed_at = clock_timestamp() - interval '20 minutes'");
    expect(await deliverMail(id)).toBe("sent");
    expect(service.sent.size).toBe(1);
  });
});

type Trouble = { connect?: number; from?: number; rcpt?: number; data?: number | "hang up" };

/** A real SMTP server, which fails as told. */
async function mailServer(troubles: Trouble[] = []) {
  const received: string[] = [];
  let trouble: Trouble = {};
  const fault = (code: number) => Object.assign(new Error("told to"), { responseCode: code });
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS"],
    allowInsecureAuth: true,
    onConnect: (_session, done) => {
      trouble = troubles.shift() ?? {};
      done(trouble.connect ? fault(trouble.connect) : null);
    },
    onAuth: ({ username, password }, _session, done) =>
      username === "shop" && password === "p@ss" ? done(null, { user: username }) : done(fault(535)),
    onMailFrom: (_address, _session, done) => done(trouble.from ? fault(trouble.from) : null),
    onRcptTo: (_address, _session, done) => done(trouble.rcpt ? fault(trouble.rcpt) : null),
    onData: (stream, session, done) => {
      text(stream).then((raw) => {
        if (trouble.data === "hang up") {
          received.push(raw);
          for (const connection of server.connections) if (connection.session === session) connection._socket.destroy();
          return;
        }
        if (trouble.data) return done(fault(trouble.data));
        received.push(raw);
        done();
      }, done);
    },
  });
  server.on("error", () => undefined); // broken off as told
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  ends.push(() => new Promise((resolve) => server.close(() => resolve(null))));
  const { port } = server.server.address() as AddressInfo;
  const settings = (user = "") => ({
    SMTP_URL: `smtp://${user}127.0.0.1:${port}`,
    MAIL_FROM: "reviews@candor.example",
  });
  return { received, settings };
}

describe("SMTP", () => {
  test("carries both texts, the sender, the headers and a steady Message-ID", async () => {
    const server = await mailServer();
    const { queueMail, deliverMail } = await mailWith(server.settings("shop:p%40ss@"));
    const id = await queueMail(letter);
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

  test("what the server puts off, or an absent server, is tried again; what it refuses is not", async () => {
    const server = await mailServer([{ connect: 421 }, { rcpt: 451 }, { data: 452 }, { rcpt: 550 }]);
    const { queueMail, deliverMail } = await mailWith(server.settings());
    const id = await queueMail(letter);
    for (let n = 0; n < 3; n++) await expect(deliverMail(id)).rejects.toMatchObject({ code: "unavailable" });
    expect(await deliverMail(id)).toBe("failed");
    expect(server.received).toEqual([]);
    const absent = await mailWith({ SMTP_URL: "smtp://127.0.0.1:9", MAIL_FROM: "reviews@candor.example" });
    const other = await absent.queueMail({ ...letter, idempotencyKey: "other" });
    await expect(absent.deliverMail(other)).rejects.toMatchObject({ code: "unavailable" });
  });

  test("a wrong password is the operator's to mend: the mail waits", async () => {
    const server = await mailServer();
    const { queueMail, deliverMail } = await mailWith(server.settings("shop:wrong@"));
    const id = await queueMail(letter);
    await expect(deliverMail(id)).rejects.toMatchObject({ code: "unavailable" });
    expect(await row()).toMatchObject({ status: "queued", handed_at: null });
  });

  test("a refused connection or sender is the operator's to mend as well", async () => {
    const server = await mailServer([{ connect: 554 }, { from: 550 }, { rcpt: 530 }]);
    const { queueMail, deliverMail } = await mailWith(server.settings());
    const id = await queueMail(letter);
    for (let n = 0; n < 3; n++) await expect(deliverMail(id)).rejects.toMatchObject({ code: "unavailable" });
    expect(await deliverMail(id)).toBe("sent");
    expect(server.received).toHaveLength(1);
  });

  test("an answer lost after the text had gone is never risked twice", async () => {
    const server = await mailServer([{ data: "hang up" }]);
    const { queueMail, deliverMail } = await mailWith(server.settings());
    const id = await queueMail(letter);
    expect(await deliverMail(id)).toBe("failed");
    expect(await deliverMail(id)).toBe("failed");
    expect(server.received).toHaveLength(1);
  });

  test("nor is one whose process died while handing it over", async () => {
    const server = await mailServer();
    const { queueMail, deliverMail } = await mailWith(server.settings());
    const id = await queueMail(letter);
    await pool().query("update mails set handed_at = clock_timestamp() - interval '20 minutes'");
    expect(await deliverMail(id)).toBe("failed");
    expect(server.received).toEqual([]);
    expect((await row()).error).toContain("not sent again");
  });
});
