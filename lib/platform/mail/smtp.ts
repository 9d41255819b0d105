import { createHash } from "node:crypto";
import { Readable } from "node:stream";
import MailComposer from "nodemailer/lib/mail-composer";
import SMTPPool from "nodemailer/lib/smtp-pool";
import type { OutgoingMail, Provider, SendResult } from "@/lib/platform/mail/provider";
import { bareAddress } from "@/lib/platform/mail/sender";
import { perProcess } from "@/lib/platform/process";

/** Connections at once. */
const LANES = 4;

/**
 * A mail server. SMTP knows no idempotency: once the text of a mail has gone, a lost answer means that nobody can tell
 * whether it arrived. So the text is handed to the connection by a stream that tells when it begins to go.
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
  const from = bareAddress(mail.from);
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

/** So long a connection that nobody uses stays open. */
const IDLE_MS = 10_000;

/** The open connections to a mail server, one pool per process. Each takes several mails, one after the other. */
const pools = () => perProcess("smtp-pools", () => new Map<string, SMTPPool>());

function poolOf(url: string, timeoutMs: number): SMTPPool {
  const key = `${timeoutMs} ${url}`;
  const pool =
    pools().get(key) ??
    new SMTPPool({
      url,
      maxConnections: LANES,
      idleTimeout: IDLE_MS,
      // A connection that the server closed meanwhile is replaced once, as long as nothing of the mail has gone.
      maxRequeues: 1,
      connectionTimeout: timeoutMs,
      greetingTimeout: timeoutMs,
      socketTimeout: timeoutMs,
    });
  pools().set(key, pool);
  return pool;
}

type RawMail = { from: string; to: string; raw: Buffer; text: () => Readable };

/** What a pool asks of a mail: it is composed already, and read no sooner than the server wants it. */
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
 * A reply of the server decides; without one it is known that nothing went unless the text had begun to go. Only what
 * it says of the recipient or of the text is about this mail: a refused connection, log-in or sender is for the operator
 * to mend, and the mail waits.
 */
function toFailure(error: unknown, begun: boolean): SendResult {
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
  // Addresses and sizes that the connection would not even offer to the server.
  if (code === "EENVELOPE" || code === "EMESSAGE") return { outcome: "refused", error: description };
  return { outcome: begun ? "unknown" : "later", error: description };
}

/** The same for every try of a mail, so that a receiving server can see a repetition. */
const messageId = (key: string, from: string): string =>
  `<${createHash("sha256").update(key).digest("hex").slice(0, 40)}@${from.split("@").at(-1)}>`;
