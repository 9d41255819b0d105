import { expect, it } from "vitest";
import * as preview from "@/app/portal/api/v1/queue/[kind]/[id]/rejection_mail/route";
import { mailRejection } from "@/lib/moderation/rejections/mail-rejection";
import { pool } from "@/lib/platform/db/pool";
import { personHash } from "@/lib/platform/secrets/person-hash";
import { rejectReasons } from "@/lib/reviews/decisions/schema";
import { call, type RequestOptions } from "@/lib/tools/test/call";
import {
  aClient,
  aMember,
  anAnswer,
  hashDatabase,
  rowsOf,
  someProducts,
  someQuestions,
  someReviews,
} from "@/lib/tools/test/factories";

const ask = async (sent: RequestOptions, id: string, kind = "review") =>
  call(preview, "GET", `/portal/api/v1/queue/${kind}/${id}/rejection_mail`, sent);
const author = { author_email: "Ann@x.example", email_key: "ann@x.example", source: "collect" };

it("equals the email that a rejection sends, in the author's language, for every reason", async () => {
  const client = await aClient({ display_name: "Lampor & <Ljus>" });
  await someProducts(client.id, [{ id: "sku-1", name: "Taklampa" }]);
  const [id = ""] = await someReviews(client.id, [{ ...author, lang: "sv" }]);
  const sent = await aMember(client);
  const before = await hashDatabase();
  const { data } = (await ask(sent, id)).json;
  expect(await hashDatabase()).toBe(before);
  expect(data).toMatchObject({ told: "mailed", lang: "sv" });
  expect(Object.keys(data.reasons)).toEqual(expect.arrayContaining(rejectReasons.filter((code) => code !== "ignored")));
  await rowsOf("update reviews set accepted = false, reject_reason = 'profanity' where id = $1", [id]);
  await rowsOf(
    `insert into moderation_events (client_id, kind, subject_id, actor_kind, action, from_state, to_state, reason)
     values ($1, 'review', $2, 'user', 'decided', 'pending', 'rejected', 'profanity')`,
    [client.id, id],
  );
  expect(await mailRejection(client.id, "review", id)).toEqual({ state: "mailed" });
  const [mail] = await rowsOf("select subject, text from mails where client_id = $1", [client.id]);
  const flat = (text: string) => text.replace(/\s+/g, " ");
  expect(mail.subject).toBe(data.subject);
  for (const part of [...data.lines, data.label, data.reasons.profanity, ...data.after])
    expect(flat(mail.text)).toContain(flat(part));
  expect(data.lines.join(" ")).toContain("Taklampa");
});

it("says why no email would be sent", async () => {
  const client = await aClient();
  const [silent = "", imported = "", stopped = ""] = await someReviews(client.id, [
    { source: "web" },
    { ...author, source: "import" },
    { ...author, author_email: "no@x.example", email_key: "no@x.example" },
  ]);
  const [question = ""] = await someQuestions(client.id, [{ ...author, accepted: true }]);
  const answer = await anAnswer(client.id, question, { accepted: null });
  await pool().query("insert into suppressions (client_id, email_hash, reason) values ($1, $2, 'opt_out')", [
    client.id,
    personHash(client.id, "email", "no@x.example"),
  ]);
  const sent = await aMember(client);
  const readState = async (id: string, kind?: string) => (await ask(sent, id, kind)).json.data.told;
  expect(await readState(silent)).toBe("no_address");
  expect(await readState(imported)).toBe("not_from_here");
  expect(await readState(stopped)).toBe("suppressed");
  expect(await readState(question, "question")).toBe("mailed");
  expect(await readState(answer, "answer")).toBe("nobody");
});

it("is available to the client's moderators for its own items", async () => {
  const [client, foreign] = [await aClient(), await aClient()];
  const [id = ""] = await someReviews(client.id, [{ ...author }]);
  const [theirs = ""] = await someReviews(foreign.id, [{ ...author }]);
  expect((await ask(await aMember(client, "viewer"), id)).status).toBe(403);
  expect((await ask(await aMember(client), theirs)).status).toBe(404);
  expect((await ask(await aMember(client), id, "question")).status).toBe(404);
});
