import { beforeEach, expect, test } from "vitest";
import { toQuestionForm } from "@/lib/forms/question-form/question-form";
import { submitQuestionForm } from "@/lib/forms/question-form/submit-question-form";
import { openWebForm, type WebFormLink } from "@/lib/forms/web-form/open-web-form";
import { pool } from "@/lib/platform/db/pool";
import { emptyDatabase } from "@/lib/tools/test/database";
import { aClient, hashDatabase, someProducts } from "@/lib/tools/test/factories";

// A tenth of the published limits, so that a test can reach them: 12 concurrent submissions.
process.env.RATE_LIMITS = "0.1";

beforeEach(emptyDatabase);

let address = 0;

/** Submits the form as a browser does; undefined fields are left out. */
function send(link: WebFormLink, fields: Record<string, string | undefined>, from = `192.0.2.${++address}`) {
  const form = new FormData();
  for (const [name, value] of Object.entries({ question: "Does it dim?", author: "Ada", ...fields }))
    if (value !== undefined) form.set(name, value);
  return submitQuestionForm(link, form, from);
}
const questions = async () => (await pool().query("select * from questions order by created_at, id")).rows;
const issuesOf = async (sending: ReturnType<typeof send>) => {
  const outcome = await sending;
  return "state" in outcome ? outcome.state.issues : [];
};

async function shop(settings: Record<string, unknown> = {}) {
  const { id } = await aClient(settings);
  await someProducts(id, [{ id: "lamp", family_id: "lamps", name: "Oak lamp" }]);
  return { client_id: id, key: "lamp", lang: "en" };
}

test("creates a pending question, and stores the address if the visitor wants the answer by email", async () => {
  const link = await shop();
  expect(
    await send(
      link,
      { question: " Does it dim? ", details: "With a\r\nwall switch.", email: " ada@x.example ", mail_answer: "on" },
      "192.0.2.200",
    ),
  ).toMatchObject({ mailed: true, receipt: expect.any(String) });
  expect(await questions()).toMatchObject([
    {
      source: "web",
      product_id: "lamp",
      family_id: "lamps",
      product_name: "Oak lamp",
      question: "Does it dim?",
      details: "With a\nwall switch.",
      author: "Ada",
      author_email: "ada@x.example",
      author_ip: "192.0.2.200",
      mail_answer: true,
      accepted: null,
      verified_email: false,
      verification: null,
      terms_agreed_at: null,
    },
  ]);
});

test("drops an address that isn't needed", async () => {
  const link = await shop();
  expect(await send(link, { email: "ada@x.example" })).toMatchObject({ mailed: false, receipt: expect.any(String) });
  // An invalid address that isn't needed is no issue either.
  expect(await send(link, { question: "And the cord?", email: "no address" })).toMatchObject({
    mailed: false,
    receipt: expect.any(String),
  });
  expect((await questions()).map(({ author_email }) => author_email)).toEqual([null, null]);
});

test("returns all issues in the form's language and stores nothing", async () => {
  const link = await shop({
    must_agree_to_terms_web: true,
    config: { terms_url: "https://shop.example/terms" },
  });
  const before = await hashDatabase();
  const bad = { question: " ", details: "w".repeat(60_001), author: "a".repeat(256), email: "no address" };
  expect(await issuesOf(send(link, { ...bad, mail_answer: "on" }))).toEqual([
    { field: "question", message: "Enter your question." },
    { field: "details", message: "This is too long. Use 60,000 characters or fewer." },
    { field: "author", message: "This is too long. Use 255 characters or fewer." },
    { field: "email", message: "Enter an email address, such as name@example.com." },
    { field: "terms", message: "Check the box to agree to the terms." },
  ]);
  const outcome = await send({ ...link, lang: "sv" }, { question: "😀".repeat(256), mail_answer: "on", terms: "on" });
  expect(outcome).toMatchObject({
    state: {
      issues: [
        { field: "question", message: "Texten är för lång. Använd högst 255 tecken." },
        { field: "email", message: "Ange en e-postadress, till exempel namn@example.com." },
      ],
      values: { question: "😀".repeat(256), mail_answer: true, terms: true },
    },
  });
  expect(await hashDatabase()).toEqual(before);
  expect(await send(link, { question: "😀".repeat(255), terms: "on" })).toMatchObject({
    mailed: false,
    receipt: expect.any(String),
  });
  const [stored] = await questions();
  expect(stored.terms_agreed_at).toBeInstanceOf(Date);
  expect(stored.terms_version).toMatch(/^[0-9a-f]{16}$/);
});

test("requires an address if the client verifies addresses, and holds the question until it is verified", async () => {
  const link = await shop({ require_verification: true });
  expect(await issuesOf(send(link, {}))).toMatchObject([{ field: "email" }]);
  expect(await send(link, { email: "ada@x.example" })).toMatchObject({ mailed: false, receipt: expect.any(String) });
  expect(await questions()).toMatchObject([{ verification: "due", mail_answer: false }]);
});

test("rejects questions if the client doesn't accept them, and returns `not_found` for an invalid link", async () => {
  const off = await shop({ collect_questions: false });
  for (const link of [off, { client_id: "nobody", key: "lamp" }, { client_id: off.client_id }, {}])
    await expect(send(link, {})).rejects.toMatchObject({ code: "not_found" });
  expect(await questions()).toEqual([]);
});

test("stores concurrent identical submissions once, and keeps the input of rate-limited visitors", async () => {
  const link = await shop();
  const from = "198.51.100.9";
  await Promise.all([1, 2, 3, 4].map(() => send(link, {}, from)));
  expect(await questions()).toHaveLength(1);
  for (let count = 0; count < 8; count += 1) await send(link, { question: `Question ${count}?` }, from);
  expect(await send(link, { question: "One too many?" }, from)).toMatchObject({
    state: { issues: [{ field: "send" }], values: { question: "One too many?" } },
  });
  expect(await questions()).toHaveLength(9);
});

test("writes nothing when opened, and stores hostile input as plain text", async () => {
  const link = await shop();
  const before = await hashDatabase();
  const open = await openWebForm(link);
  if (open.state !== "open") throw new Error(open.state);
  expect(toQuestionForm(open)).toMatchObject({ subject: { name: "Oak lamp" }, email: "for_answer", terms: null });
  expect(await hashDatabase()).toEqual(before);
  const text = `<script>alert(1)</script> {{ 7 | times: 7 }} \u202e\u0000\ud800`;
  await send(link, { question: text, details: text, author: text });
  const clean = text.replace("\0", "").toWellFormed();
  expect(await questions()).toMatchObject([{ question: clean, details: clean, author: clean }]);
});
