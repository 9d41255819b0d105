import nodemailer from "nodemailer";
import { afterAll, beforeAll, expect, it } from "vitest";
import { smtpDouble } from "@/lib/tools/test/smtp-fake";

let double: Awaited<ReturnType<typeof smtpDouble>>;
beforeAll(async () => {
  double = await smtpDouble();
});
afterAll(() => double.close());

const proper = [
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
const without = (header: string) => proper.filter((line) => !line.startsWith(`${header}:`));
const instead = (header: string, line: string) => proper.map((own) => (own.startsWith(`${header}:`) ? line : own));

/** Sends the lines as they are. Answers what the server said: 250 for what it took. */
async function said(lines: string[]): Promise<string> {
  const transport = nodemailer.createTransport(double.settings().SMTP_URL);
  const envelope = { from: "reviews@candor.example", to: ["ada@x.example"] };
  try {
    return (await transport.sendMail({ envelope, raw: lines.join("\r\n") })).response.slice(0, 3);
  } catch (error) {
    return (error as { response?: string }).response ?? String(error);
  } finally {
    transport.close();
  }
}

it("takes a proper mail, and keeps it", async () => {
  const before = double.received.length;
  expect(await said(proper)).toBe("250");
  expect(double.received.slice(before)).toEqual([expect.stringContaining("Tell us.")]);
});

it.each([
  ...["From", "To", "Date", "Message-ID", "Subject", "MIME-Version"].map((header) => [
    `no ${header}`,
    without(header),
    `${header.toLowerCase()}: 0`,
  ]),
  ["two subjects", [proper[4] as string, ...proper], "subject: 2"],
  ["an empty subject", instead("Subject", "Subject:"), "subject is empty"],
  ["letters in a header as they are", instead("Subject", "Subject: Größe?"), "subject is not ASCII"],
  ["another sender than it was handed over by", instead("From", "From: a@b.example"), "from is not"],
  ["another recipient", instead("To", "To: bo@x.example"), "to is not"],
  ["an id that is none", instead("Message-ID", "Message-ID: one"), "message-id is none"],
  ["a day that is none", instead("Date", "Date: soon"), "date is none"],
  ["HTML alone", instead("Content-Type", "Content-Type: text/html"), "no text"],
  ["a line without an end", [...proper, "x".repeat(999)], "longer than 998"],
  [
    "a way out that nobody may post to",
    ["List-Unsubscribe: <https://candor.example/o/1>", ...proper],
    "belong together",
  ],
] as [string, string[], string][])("refuses a mail with %s", async (_, lines, why) => {
  const before = double.received.length;
  expect(await said(lines)).toMatch(new RegExp(`^554 .*${why}`));
  expect(double.received).toHaveLength(before);
});
