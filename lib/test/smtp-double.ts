import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { SMTPServer } from "smtp-server";

/** How one conversation goes wrong: a reply code at that point, or a broken or silent connection after the text. */
export type SmtpTrouble = {
  connect?: number;
  from?: number;
  rcpt?: number;
  data?: number | "hang up" | "never answer";
};

/** A real SMTP server, which knows one login (shop, p@ss), keeps what it takes and fails as told. */
export async function smtpDouble(troubles: SmtpTrouble[] = []) {
  const received: string[] = [];
  const fault = (code: number) => Object.assign(new Error("told to"), { responseCode: code });
  const told = new WeakMap<object, SmtpTrouble>();
  const of = (session: object) => told.get(session) ?? {};
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS"],
    allowInsecureAuth: true,
    onConnect: (session, done) => {
      const trouble = troubles.shift() ?? {};
      told.set(session, trouble);
      done(trouble.connect ? fault(trouble.connect) : null);
    },
    onAuth: ({ username, password }, _session, done) =>
      username === "shop" && password === "p@ss" ? done(null, { user: username }) : done(fault(535)),
    onMailFrom: (_address, session, done) => done(of(session).from ? fault(of(session).from ?? 0) : null),
    onRcptTo: (_address, session, done) => done(of(session).rcpt ? fault(of(session).rcpt ?? 0) : null),
    onData: (stream, session, done) => {
      text(stream).then((raw) => {
        const { data } = of(session);
        if (typeof data === "number") return done(fault(data));
        received.push(raw);
        if (data === "never answer") return;
        if (data !== "hang up") return done();
        for (const connection of server.connections) if (connection.session === session) connection._socket.destroy();
      }, done);
    },
  });
  server.on("error", () => undefined); // broken off as told
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.server.address() as AddressInfo;
  return {
    received,
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
