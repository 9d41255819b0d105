import { createHash } from "node:crypto";
import { Readable } from "node:stream";
import MailComposer from "nodemailer/lib/mail-composer";
import { parseConnectionUrl } from "nodemailer/lib/shared";
import SMTPConnection from "nodemailer/lib/smtp-connection";
import type { Handover, OutgoingMail, Provider } from "@/lib/mail/provider";
import { bareAddress } from "@/lib/mail/sender";

/**
 * A mail server. SMTP knows no idempotency: once the text of a mail has gone, a lost answer means that nobody can tell
 * whether it arrived. So the connection is driven here, where it is known whether the text had begun to go.
 */
export function smtpProvider(url: string, timeoutMs: number): Provider {
  return {
    name: "smtp",
    idempotentForMs: 0,
    most: 1,
    lanes: 4,
    hand: (mails) => Promise.all(mails.map((mail) => handOver(url, mail, timeoutMs))),
  };
}

async function handOver(url: string, mail: OutgoingMail, timeoutMs: number): Promise<Handover> {
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

  let begun = false;
  const text = Readable.from(
    (async function* () {
      begun = true;
      yield raw;
    })(),
  );
  const { auth, ...options } = parseConnectionUrl(url);
  const connection = new SMTPConnection({
    ...options,
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
  });
  try {
    const answer = await new Promise<string>((resolve, reject) => {
      const failed = (error: unknown) => reject(error);
      connection.once("error", failed);
      const send = () =>
        connection.send({ from, to: mail.to, size: raw.length }, text, (error, info) =>
          error ? failed(error) : resolve(info?.response ?? ""),
        );
      connection.connect((error) => {
        if (error) return failed(error);
        if (auth && connection.allowsAuth) connection.login(auth, (refusal) => (refusal ? failed(refusal) : send()));
        else send();
      });
    });
    return { outcome: "sent", providerId: answer };
  } catch (error) {
    return judge(error, begun);
  } finally {
    connection.close();
  }
}

/**
 * A reply of the server decides; without one it is known that nothing went unless the text had begun to go. Only what
 * it says of the recipient or of the text is about this mail: a refused connection, log-in or sender is for the operator
 * to mend, and the mail waits.
 */
function judge(error: unknown, begun: boolean): Handover {
  const { message, code, responseCode, command } = error as {
    message?: string;
    code?: string;
    responseCode?: number;
    command?: string;
  };
  const said = `SMTP: ${[responseCode, code].filter(Boolean).join(" ")} ${message ?? String(error)}`;
  if (responseCode !== undefined) {
    const ofMail = (command === "RCPT TO" || command === "DATA") && responseCode !== 530;
    return { outcome: responseCode >= 500 && ofMail ? "refused" : "later", error: said };
  }
  // Addresses and sizes that the connection would not even offer to the server.
  if (code === "EENVELOPE" || code === "EMESSAGE") return { outcome: "refused", error: said };
  return { outcome: begun ? "unknown" : "later", error: said };
}

/** The same for every try of a mail, so that a receiving server can see a repetition. */
const messageId = (key: string, from: string): string =>
  `<${createHash("sha256").update(key).digest("hex").slice(0, 40)}@${from.split("@").at(-1)}>`;
