import { describe, expect, it } from "vitest";
import * as one from "@/app/v1/questions/[id]/route";
import * as questions from "@/app/v1/questions/route";
import { pool } from "@/lib/platform/db/pool";
import { call } from "@/lib/tools/test/call";
import { describeContributionList } from "@/lib/tools/test/contributions";
import { aClient, anAnswer, aUser, rowsOf, someQuestions, type TestClient } from "@/lib/tools/test/factories";

const noon = new Date("2026-03-01T12:00:00.500Z");
const later = new Date("2026-03-02T12:00:00Z");

const get = async (client: TestClient, id: string) => {
  const { json, status } = await call(one, "GET", `/v1/questions/${id}`, { key: client.key });
  expect(status).toBe(200);
  return json.data;
};

describe("questions over the API", () => {
  it("returns exactly the documented fields, in the list and alone", async () => {
    const own = await aClient();
    const words = 'Which "bulb",\n\\ \u2028 灯 💡 ","updated_at":"2001-01-01T00:00:00Z';
    await someQuestions(own.id, [
      {
        id: "00000000000000aa",
        author: words,
        author_email: "Bo@Example.org",
        question: words,
        details: words,
        answers_given: { room: "hall" },
        lang: "sv",
        date: "2026-02-03",
        product_id: "lamp",
        family_id: "lamps",
        product_name: "Lamp",
        mail_answer: true,
        accepted: false,
        reject_reason: "spam",
        updated_at: later,
      },
    ]);
    const { json } = await call(questions, "GET", "/v1/questions", { key: own.key });
    const shown = {
      id: "00000000000000aa",
      author: words,
      date: "2026-02-03",
      question: words,
      details: words,
      lang: "sv",
      product: "Lamp",
      product_ids: ["lamp"],
      family_ids: ["lamps"],
      answers: [],
      images: [],
      properties: { room: "hall" },
      author_email: "Bo@Example.org",
      mail_answer: true,
      accepted: false,
      accepted_at: null,
      reject_reason: "spam",
      updated_at: "2026-03-02T12:00:00Z",
      portal_url: `http://localhost:3000/portal/questions/00000000000000aa?client_id=${own.id}`,
    };
    expect(json).toEqual({ data: [shown], links: {} });
    expect(await get(own, shown.id)).toEqual(shown);
  });

  it("returns null for unset fields", async () => {
    const own = await aClient();
    const [id = ""] = await someQuestions(own.id, [{ author: null, product_id: null, product_name: null }]);
    expect(await get(own, id)).toMatchObject({
      author: null,
      details: "",
      lang: null,
      product: null,
      product_ids: [],
      family_ids: ["sku-1"],
      answers: [],
      properties: {},
      author_email: null,
      mail_answer: false,
      accepted: null,
      accepted_at: null,
      reject_reason: null,
    });
  });

  it("returns accepted answers, oldest first, and updates updated_at with them", async () => {
    const own = await aClient();
    const [id = ""] = await someQuestions(own.id, [{ updated_at: noon }]);
    const pending = await anAnswer(own.id, id, { accepted: null, answer: "first", lang: null, created_at: noon });
    expect(await get(own, id)).toMatchObject({ answers: [], updated_at: "2026-03-01T12:00:00Z" });
    await anAnswer(own.id, id, { answer: "second", created_at: later });
    await rowsOf("update answers set accepted = true, accepted_at = now() where client_id = $1 and id = $2", [
      own.id,
      pending,
    ]);
    const answered = await get(own, id);
    expect(answered.answers).toEqual([
      { author: "Shop", date: "2026-01-16", answer: "first", lang: null },
      { author: "Shop", date: "2026-01-16", answer: "second", lang: "en" },
    ]);
    expect(answered.updated_at > "2026-03-02").toBe(true);
    await rowsOf("update answers set answer = 'reworded' where client_id = $1 and id = $2", [own.id, pending]);
    expect((await get(own, id)).answers[0].answer).toBe("reworded");
    await rowsOf("delete from answers where client_id = $1", [own.id]);
    expect((await get(own, id)).answers).toEqual([]);
  });

  it("returns both of two answers that are written concurrently", async () => {
    const own = await aClient();
    const [id = ""] = await someQuestions(own.id, [{}]);
    const texts = Array.from({ length: 12 }, (_, index) => `answer ${index}`);
    await Promise.all(texts.map((answer) => anAnswer(own.id, id, { answer })));
    const shown = (await get(own, id)).answers.map(({ answer }: { answer: string }) => answer);
    expect(shown.sort()).toEqual(texts.sort());
  });

  it("hides people from viewers, also in single questions", async () => {
    const own = await aClient();
    const [id = ""] = await someQuestions(own.id, [{ author_email: "bo@example.org" }]);
    const { basic } = await aUser("viewer", { clients: [own.id] });
    const { json } = await call(one, "GET", `/v1/questions/${id}`, { basic });
    expect(json.data).toEqual({ ...(await get(own, id)), author_email: null });
  });
});

describeContributionList("questions", questions, someQuestions, (client, id, turn) =>
  turn % 2 === 0
    ? anAnswer(client.id, id, { answer: `Turn ${turn}` })
    : pool().query("update questions set details = $3 where client_id = $1 and id = $2", [
        client.id,
        id,
        `Turn ${turn}`,
      ]),
);
