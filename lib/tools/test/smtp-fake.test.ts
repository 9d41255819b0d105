import nodemailer from "nodemailer";
import { afterAll, beforeAll, expect, it } from "vitest";
import { smtpFake } from "@/lib/tools/test/smtp-fake";

let fake: Awaited<ReturnType<typeof smtpFake>>;
beforeAll(async () => {
  fake = await smtpFake();
});
afterAll(() => fake.close());

const validMessage = [
  "From: Shop <reviews@candor.example>",
  "To: Ada <ada@x.example>",
  "Date: Mon, 01 Jun 2026 09:00:00 +0000",
  "Message-ID: <one@candor.example>",
  "Subject: How was it?",
  "MIME-Version: 1.0",
  "Content-Type: text/plain; charset=utf-8",
  "",
  "Tell us.",
];
const withoutHeader = (header: string) => validMessage.filter((line) => !line.startsWith(`${header}:`));
const withHeader = (header: string, line: string) =>
  validMessage.map((own) => (own.startsWith(`${header}:`) ? line : own));

/** Sends the lines unchanged. Returns the server's response: 250 if it accepted the email. */
async function sendRaw(lines: string[]): Promise<string> {
  const transport = nodemailer.createTransport(fake.settings().SMTP_URL);
  const envelope = { from: "reviews@candor.example", to: ["ada@x.example"] };
  try {
    return (await transport.sendMail({ envelope, raw: lines.join("\r\n") })).response.slice(0, 3);
  } catch (error) {
    return (error as { response?: string }).response ?? String(error);
  } finally {
    transport.close();
  }
}

it("accepts and stores a valid email", async () => {
  const before = fake.received.length;
  expect(await sendRaw(validMessage)).toBe("250");
  expect(fake.received.slice(before)).toEqual([expect.stringContaining("Tell us.")]);
});

it.each([
  ...["From", "To", "Date", "Message-ID", "Subject", "MIME-Version"].map((header) => [
    `no ${header}`,
    withoutHeader(header),
    `${header.toLowerCase()}: 0`,
  ]),
  ["two subjects", [validMessage[4] as string, ...validMessage], "subject: 2"],
  ["an empty subject", withHeader("Subject", "Subject:"), "subject is empty"],
  ["letters in a header as they are", withHeader("Subject", "Subject: Größe?"), "subject is not ASCII"],
  ["another sender than it was handed over by", withHeader("From", "From: a@b.example"), "from is not"],
  ["another recipient", withHeader("To", "To: bo@x.example"), "to is not"],
  ["an id that is none", withHeader("Message-ID", "Message-ID: one"), "message-id is none"],
  ["a day that is none", withHeader("Date", "Date: soon"), "date is none"],
  ["HTML alone", withHeader("Content-Type", "Content-Type: text/html"), "no text"],
  ["a line without an end", [...validMessage, "x".repeat(999)], "longer than 998"],
  [
    "a way out that nobody may post to",
    ["List-Unsubscribe: <https://candor.example/o/1>", ...validMessage],
    "belong together",
  ],
] as [string, string[], string][])("rejects an email with %s", async (_, lines, why) => {
  const before = fake.received.length;
  expect(await sendRaw(lines)).toMatch(new RegExp(`^554 .*${why}`));
  expect(fake.received).toHaveLength(before);
});
