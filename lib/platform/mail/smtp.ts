import { createHash } from "node:crypto";
import { Readable } from "node:stream";
import MailComposer from "nodemailer/lib/mail-composer";
import SMTPPool from "nodemailer/lib/smtp-pool";
import type { OutgoingMail, Provider, SendResult } from "@/lib/platform/mail/provider";
import { extractAddress } from "@/lib/platform/mail/sender";
import { perProcess } from "@/lib/platform/process";

/** Maximum connections. */
const LANES = 4;

/**
 * A mail server. SMTP has no idempotency: once the text was sent, a lost response means that delivery is unknown. So
 * the text is a stream that records when it starts to be sent.
 */
export function smtpProvider(url: string, timeoutMs: number): Provider {
  return {
    name: "smtp",
    idempotentForMs: 0,
    batchSize: 1,
    concurrency: LANES,
    send: (mails) => Promise.all(mails.map((mail) => sendOverSmtp(url, mail, timeoutMs))),
  };
}

async function sendOverSmtp(url: string, mail: OutgoingMail, timeoutMs: number): Promise<SendResult> {
  const from = extractAddress(mail.from);
  const raw = await new MailComposer({
    from: mail.from,
    to: mail.to,
    ...(mail.reply_to ? { replyTo: mail.reply_to } : {}),
    subject: mail.subject,
    ...(mail.html === null ? {} : { html: mail.html }),
    text: mail.text ?? "",
    headers: mail.headers,
    messageId: messageId(mail.idempotency_key, from),
  })
    .compile()
    .build();

  let isStarted = false;
  const text = () =>
    Readable.from(
      (async function* () {
        isStarted = true;
        yield raw;
      })(),
    );
  try {
    return { outcome: "sent", providerId: await sendRaw(poolOf(url, timeoutMs), { from, to: mail.to, raw, text }) };
  } catch (error) {
    return toFailure(error, isStarted);
  }
}

/** Milliseconds until an idle connection is closed. */
const IDLE_MS = 10_000;

/** Connection pools by mail server, one set per process. A connection sends several emails, one after the other. */
const pools = () => perProcess("smtp-pools", () => new Map<string, SMTPPool>());

function poolOf(url: string, timeoutMs: number): SMTPPool {
  const key = `${timeoutMs} ${url}`;
  const pool =
    pools().get(key) ??
    new SMTPPool({
      url,
      maxConnections: LANES,
      idleTimeout: IDLE_MS,
      // A connection closed by the server is replaced once, if nothing of the email was sent.
      maxRequeues: 1,
      connectionTimeout: timeoutMs,
      greetingTimeout: timeoutMs,
      socketTimeout: timeoutMs,
    });
  pools().set(key, pool);
  return pool;
}

/** Closes all connections, for tests. */
export function closeSmtpPools(): void {
  for (const pool of pools().values()) pool.close();
  pools().clear();
}

type RawMail = { from: string; to: string; raw: Buffer; text: () => Readable };

/** The email in the form that the pool expects: already composed, and read only when the server is ready. */
const pooled = ({ from, to, raw, text }: RawMail) => ({
  data: {},
  message: {
    getEnvelope: () => ({ from, to, size: raw.length }),
    getHeader: () => "",
    messageId: () => "",
    createReadStream: text,
  },
});

const sendRaw = (pool: SMTPPool, mail: RawMail): Promise<string> =>
  new Promise((resolve, reject) => {
    pool.send(pooled(mail) as unknown as Parameters<SMTPPool["send"]>[0], (error, info) =>
      error ? reject(error) : resolve(info?.response ?? ""),
    );
  });

/**
 * Converts an error to a result. The server's reply decides; without one, the email was not sent unless its text had
 * started. Only replies about the recipient or the text concern the email: a rejected connection, sign-in or sender is
 * for the operator to fix, and the email stays queued.
 */
function toFailure(error: unknown, isStarted: boolean): SendResult {
  const { message, code, responseCode, command } = error as {
    message?: string;
    code?: string;
    responseCode?: number;
    command?: string;
  };
  const description = `SMTP: ${[responseCode, code].filter(Boolean).join(" ")} ${message ?? String(error)}`;
  if (responseCode !== undefined) {
    const concernsMail = (command === "RCPT TO" || command === "DATA") && responseCode !== 530;
    return { outcome: responseCode >= 500 && concernsMail ? "refused" : "later", error: description };
  }
  // Addresses or sizes that the connection doesn't offer to the server.
  if (code === "EENVELOPE" || code === "EMESSAGE") return { outcome: "refused", error: description };
  return { outcome: isStarted ? "unknown" : "later", error: description };
}

/** The same for every attempt, so that a receiving server can recognize a duplicate. */
const messageId = (key: string, from: string): string =>
  `<${createHash("sha256").update(key).digest("hex").slice(0, 40)}@${from.split("@").at(-1)}>`;
