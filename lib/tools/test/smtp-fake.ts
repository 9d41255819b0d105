import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { SMTPServer } from "smtp-server";

/** How one email fails: a reply code at that point, or a closed or silent connection after the text. */
export type SmtpFailure = {
  connect?: number;
  from?: number;
  rcpt?: number;
  data?: number | "hang up" | "never answer";
};

/** Headers that every email must have (RFC 5322, and what a strict relay requires). */
const requiredHeaders = ["from", "to", "date", "message-id", "subject", "mime-version", "content-type"];

/** Why a relay would reject this message; null if it wouldn't. `raw`: as received. */
function messageIssue(raw: string, { from, to }: { from: string; to: string[] }): string | null {
  if (/(^|[^\r])\n|\r(?!\n)/.test(raw)) return "a line does not end in CRLF";
  if (raw.split("\r\n").some((line) => Buffer.byteLength(line) > 998)) return "a line is longer than 998 octets";
  const head = raw.slice(0, raw.indexOf("\r\n\r\n")).replaceAll(/\r\n[ \t]+/g, " ");
  const headers = head.split("\r\n").map((line) => {
    const [name = "", ...value] = line.split(":");
    return [name.toLowerCase(), value.join(":").trim()] as const;
  });
  const valuesOf = (name: string) => headers.filter(([own]) => own === name).map(([, value]) => value);
  for (const name of requiredHeaders)
    if (valuesOf(name).length !== 1) return `${name}: ${valuesOf(name).length} instead of one`;
  for (const [name, value] of headers) {
    if (value === "") return `${name} is empty`;
    if (/[^\x20-\x7e]/.test(value)) return `${name} is not ASCII`;
  }
  if (!valuesOf("from")[0]?.includes(from)) return `from is not ${from}`;
  for (const address of to) if (!valuesOf("to")[0]?.includes(address)) return `to is not ${address}`;
  if (!/^<[^<>@\s]+@[^<>@\s]+>$/.test(valuesOf("message-id")[0] ?? "")) return "message-id is none";
  if (Number.isNaN(Date.parse(valuesOf("date")[0] ?? ""))) return "date is none";
  if (!/^content-type: text\/plain/im.test(raw)) return "there is no text for those who read no HTML";
  // RFC 8058: one header announces that the other's URL accepts POST.
  if (valuesOf("list-unsubscribe").length !== valuesOf("list-unsubscribe-post").length)
    return "list-unsubscribe and list-unsubscribe-post belong together";
  return null;
}

/**
 * A real SMTP server with one login (shop, p@ss). It rejects malformed emails (554 with the reason), stores accepted
 * ones, and fails as configured.
 */
export async function smtpFake(failures: SmtpFailure[] = []) {
  const received: string[] = [];
  let connected = 0;
  const smtpError = (code: number) => Object.assign(new Error("simulated failure"), { responseCode: code });
  const failureBySession = new WeakMap<object, SmtpFailure>();
  const failureOf = (session: object) => failureBySession.get(session) ?? {};
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS"],
    allowInsecureAuth: true,
    onConnect: (_session, done) => {
      connected += 1;
      const rejection = failures[0]?.connect;
      if (rejection) failures.shift();
      done(rejection ? smtpError(rejection) : null);
    },
    onAuth: ({ username, password }, _session, done) =>
      username === "shop" && password === "p@ss" ? done(null, { user: username }) : done(smtpError(535)),
    onMailFrom: (_address, session, done) => {
      const failure = failures.shift() ?? {};
      failureBySession.set(session, failure);
      const rejection = failure.connect ?? failure.from;
      done(rejection ? smtpError(rejection) : null);
    },
    onRcptTo: (_address, session, done) =>
      done(failureOf(session).rcpt ? smtpError(failureOf(session).rcpt ?? 0) : null),
    onData: (stream, session, done) => {
      text(stream).then((raw) => {
        const { data } = failureOf(session);
        if (typeof data === "number") return done(smtpError(data));
        const { mailFrom, rcptTo } = session.envelope;
        const issue = messageIssue(raw, {
          from: mailFrom ? mailFrom.address : "",
          to: rcptTo.map(({ address }) => address),
        });
        if (issue !== null) return done(Object.assign(new Error(issue), { responseCode: 554 }));
        received.push(raw);
        if (data === "never answer") return;
        if (data !== "hang up") return done();
        for (const connection of server.connections) if (connection.session === session) connection._socket.destroy();
      }, done);
    },
  });
  server.on("error", () => undefined); // closed as configured
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.server.address() as AddressInfo;
  return {
    received,
    /** number of connections so far */
    connected: () => connected,
    /** closes all connections, as a server does after its timeout */
    disconnect: () => {
      for (const connection of server.connections) connection._socket.end("421 4.4.2 Timeout\r\n");
    },
    settings: (user = "") => ({
      SMTP_URL: `smtp://${user}127.0.0.1:${port}`,
      MAIL_FROM: "reviews@candor.example",
    }),
    close: () => {
      for (const connection of server.connections) connection._socket.destroy();
      return new Promise((resolve) => server.close(() => resolve(null)));
    },
  };
}
