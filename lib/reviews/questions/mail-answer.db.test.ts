import { describe, expect, it } from "vitest";
import { withNow } from "@/lib/platform/clock";
import { languages } from "@/lib/platform/i18n/languages";
import { personHash } from "@/lib/platform/secrets/person-hash";
import { mailAnswer } from "@/lib/reviews/questions/mail-answer";
import { aClient, anAnswer, hashDatabase, rowsOf, someQuestions, type TestClient } from "@/lib/tools/test/factories";

type Mail = { to: string; subject: string; html: string; text: string; headers: Record<string, string> };
const mails = (client: TestClient): Promise<Mail[]> =>
  rowsOf("select * from mails where client_id = $1 order by created_at, id", [client.id]);
let made = 0;
/** Creates a published question whose author wants the answer by email, unless overridden. */
async function aQuestionToMail(client: TestClient, given: Record<string, unknown> = {}): Promise<string> {
  const address = `asker-${++made}@example.org`;
  const [id = ""] = await someQuestions(client.id, [
    {
      accepted: true,
      mail_answer: true,
      verified_email: true,
      author_email: address,
      email_key: address,
      lang: "en",
      question: "Which bulb does it take?",
      details: "I have a box of E27 left.",
      ...given,
    },
  ]);
  return id;
}

describe("the answer email", () => {
  it("is sent once to the author who wanted it, with question and answer, and recorded", async () => {
    const client = await aClient({ display_name: "Lampor & <Ljus>", contact_email: "help@shop.example" });
    await rowsOf(
      "insert into products (client_id, id, family_id, name, url) values ($1, 'sku-1', 'sku-1', 'Oak lamp', 'https://shop.example/oak')",
      [client.id],
    );
    const id = await aQuestionToMail(client);
    const answer = await anAnswer(client.id, id, { author: "Mia", answer: "E27 <b>at most</b> 40 W.\nEnjoy!" });
    expect(await mailAnswer(client.id, id)).toEqual({ state: "mailed" });
    const [mail] = await mails(client);
    expect(mail).toMatchObject({
      to: expect.stringMatching(/^asker-/),
      subject: "Your question about Oak lamp was answered",
      reply_to: "help@shop.example",
      headers: { "List-Unsubscribe-Post": "List-Unsubscribe=One-Click" },
    });
    for (const words of [
      "Which bulb does it take?",
      "I have a box of E27 left.",
      "https://shop.example/oak",
      "help@shop.example",
    ]) {
      expect(mail?.html).toContain(words);
      expect(mail?.text).toContain(words);
    }
    expect(mail?.text).toContain("E27 <b>at most</b> 40 W.");
    expect(mail?.html).toContain("E27 &lt;b&gt;at most&lt;/b&gt; 40 W.");
    expect(mail?.html).not.toContain("<Ljus>");
    expect((await rowsOf("select mailed_at from answers where id = $1", [answer]))[0].mailed_at).toBeInstanceOf(Date);
    expect(
      await rowsOf("select data from outbox where client_id = $1 and name = 'mail/queued'", [client.id]),
    ).toHaveLength(1);

    const after = await hashDatabase();
    expect(await mailAnswer(client.id, id)).toEqual({ state: "not_due" });
    expect(await hashDatabase()).toBe(after);
    // Not for a second answer, nor if the first is deleted.
    await anAnswer(client.id, id, { answer: "Also E14." });
    await rowsOf("delete from answers where id = $1", [answer]);
    expect(await mailAnswer(client.id, id)).toEqual({ state: "not_due" });
    expect(await mails(client)).toHaveLength(1);
  });

  it("is sent once, even if requested concurrently", async () => {
    const client = await aClient();
    const id = await aQuestionToMail(client);
    await anAnswer(client.id, id);
    const states = await Promise.all(Array.from({ length: 6 }, () => mailAnswer(client.id, id)));
    expect(states.map(({ state }) => state).sort()).toEqual(["mailed", ...Array(5).fill("not_due")]);
    expect(await mails(client)).toHaveLength(1);
  });

  it.each<[string, Record<string, unknown>, Record<string, unknown> | null]>([
    ["who did not wish it", { mail_answer: false }, {}],
    ["whose question waits", { accepted: null }, {}],
    ["whose question is rejected", { accepted: false }, {}],
    ["whose address waits to be confirmed", { verified_email: false, verification: "mailed" }, {}],
    ["who left no address", { author_email: null, email_key: null }, {}],
    ["whose answer waits", {}, { accepted: null }],
    ["whose answer was rejected again", {}, { accepted: false }],
    ["who has no answer yet", {}, null],
  ])("isn't sent to one %s, and writes nothing", async (_, question, answer) => {
    const client = await aClient();
    const id = await aQuestionToMail(client, question);
    if (answer) await anAnswer(client.id, id, answer);
    const before = await hashDatabase();
    expect(await mailAnswer(client.id, id)).toEqual({ state: "not_due" });
    expect(await hashDatabase()).toBe(before);
  });

  it("isn't sent to a suppressed address, or for another client's question", async () => {
    const [client, other] = [await aClient(), await aClient()];
    const id = await aQuestionToMail(client, { email_key: "gone@example.org", author_email: "Gone@example.org" });
    await anAnswer(client.id, id);
    await rowsOf("insert into suppressions (client_id, email_hash, reason) values ($1, $2, 'opt_out')", [
      client.id,
      personHash(client.id, "email", "gone@example.org"),
    ]);
    expect(await mailAnswer(client.id, id)).toEqual({ state: "suppressed" });
    expect(await mailAnswer(other.id, id)).toEqual({ state: "not_due" });
    expect(await mails(client)).toEqual([]);
  });

  it("uses the question's language, or the client's if there is no translation", async () => {
    const client = await aClient({ locale: "fr_FR" });
    const subjects = new Map<string, string>();
    for (const lang of [...languages, "fi"]) {
      const id = await aQuestionToMail(client, { lang });
      await anAnswer(client.id, id);
      await mailAnswer(client.id, id);
      const mail = (
        await rowsOf("select subject, html from mails where idempotency_key = $1", [`answer:${client.id}:${id}`])
      )[0];
      subjects.set(lang, mail.subject);
      expect(mail.html).toContain(`lang="${lang === "fi" ? "fr" : lang}"`);
      expect(mail.html).not.toMatch(/\{\w+\}/);
    }
    expect(new Set(subjects.values()).size).toBe(languages.length);
    expect(subjects.get("fi")).toBe(subjects.get("fr"));
  });

  it("to an unverified address contains no visitor text, and is rate limited", async () => {
    const client = await aClient();
    const address = { author_email: "stranger@example.org", email_key: "stranger@example.org", verified_email: false };
    const hostile = { product_name: "BUY PILLS", product_url: "https://evil.example/", author: "EVIL" };
    const [first, second] = [
      await aQuestionToMail(client, {
        ...address,
        ...hostile,
        question: "CLICK HERE",
        details: "https://evil.example/",
      }),
      await aQuestionToMail(client, address),
    ];
    for (const id of [first, second]) await anAnswer(client.id, id, { answer: "It takes E27." });
    const start = new Date("2026-11-10T09:00:00Z");
    const at = (minutes: number) => new Date(start.getTime() + minutes * 60_000);
    expect(await withNow(at(0), () => mailAnswer(client.id, first))).toEqual({ state: "mailed" });
    const [mail] = await mails(client);
    const fullText = `${mail?.subject} ${mail?.html} ${mail?.text}`;
    expect(fullText).toContain("It takes E27.");
    expect(fullText).not.toMatch(/evil|pills|click/i);
    const waits = await withNow(at(20), () => mailAnswer(client.id, second));
    expect(waits).toEqual({ state: "later", seconds: expect.closeTo(2_400, -1) });
    expect(await mails(client)).toHaveLength(1);
    expect(await withNow(at(61), () => mailAnswer(client.id, second))).toEqual({ state: "mailed" });
  });
});
