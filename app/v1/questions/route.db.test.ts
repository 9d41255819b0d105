import { beforeAll, describe, expect, it } from "vitest";
import * as one from "@/app/v1/questions/[id]/route";
import * as questions from "@/app/v1/questions/route";
import { pool } from "@/lib/db/pool";
import { call, readAll } from "@/lib/test/call";
import { aClient, anAnswer, aUser, rowsOf, someQuestions, type TestClient } from "@/lib/test/factories";
import { expectFaults, expectForeignCursor, expectList } from "@/lib/test/lists";
import { describeSynchronisation } from "@/lib/test/synchronisation";

const noon = new Date("2026-03-01T12:00:00.500Z");
const later = new Date("2026-03-02T12:00:00Z");

let shop: TestClient;
let ids: string[];

beforeAll(async () => {
  shop = await aClient();
  // Ids in order, so that rows of one moment come in a known order.
  ids = Array.from({ length: 9 }, (_, index) => `00000000000000${index.toString(16).padStart(2, "0")}`);
  await someQuestions(
    shop.id,
    ids.map((id, index) => ({
      id,
      accepted: [null, true, false][index % 3] as boolean | null,
      created_at: index < 6 ? noon : later,
      updated_at: index < 6 ? later : noon,
      customer_id: "buyer-77",
      author_email: "bo@example.org",
    })),
  );
  await someQuestions((await aClient()).id, [{}]);
});

const listed = async (query: string): Promise<string[]> =>
  (await readAll(questions, `/v1/questions?${query}`, { key: shop.key })).map(({ id }) => id);
const get = async (client: TestClient, id: string) => {
  const { json, status } = await call(one, "GET", `/v1/questions/${id}`, { key: client.key });
  expect(status).toBe(200);
  return json.data;
};

describe("GET /v1/questions", () => {
  it("answers every documented field and no other, in the list and alone", async () => {
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

  it("answers null for what is unset", async () => {
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

  it("shows accepted answers, oldest first, and changes with them", async () => {
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

  it("misses none of two answers that are written at the same moment", async () => {
    const own = await aClient();
    const [id = ""] = await someQuestions(own.id, [{}]);
    const texts = Array.from({ length: 12 }, (_, index) => `answer ${index}`);
    await Promise.all(texts.map((answer) => anAnswer(own.id, id, { answer })));
    const shown = (await get(own, id)).answers.map(({ answer }: { answer: string }) => answer);
    expect(shown.sort()).toEqual(texts.sort());
  });

  it("lists by creation, ties by id, published or not", () => expectList(questions, "/v1/questions", shop.key, ids));

  it("lists by change with updated_after, which has another name", async () => {
    const changed = [...ids.slice(6), ...ids.slice(0, 6)];
    await expectList(questions, "/v1/questions?updated_after=2026-01-01", shop.key, changed);
    await expectList(questions, "/v1/questions?update_after=2026-01-01T00:00:00Z", shop.key, changed);
    expect(await listed("updated_after=2026-03-02T12:00:05Z")).toEqual(ids.slice(0, 6));
    expect(await listed("updated_after=2026-03-02T12:00:06Z")).toEqual([]);
  });

  it("filters by state and creation, alone and together, in both orders", async () => {
    const third = (rest: number) => ids.filter((_, index) => index % 3 === rest);
    const states = { pending: third(0), accepted: third(1), rejected: third(2) };
    for (const [state, expected] of Object.entries(states)) {
      await expectList(questions, `/v1/questions?moderation_status=${state}`, shop.key, expected);
      const late = expected.filter((id) => id >= (ids[6] as string));
      await expectList(questions, `/v1/questions?moderation_status=${state}&updated_after=2026-01-01`, shop.key, [
        ...late,
        ...expected.filter((id) => !late.includes(id)),
      ]);
      expect(await listed(`moderation_status=${state}&created_after=2026-03-02`)).toEqual(late);
      expect(await listed(`moderation_status=${state}&created_after=2026-03-02&updated_after=2026-01-01`)).toEqual(
        late,
      );
    }
    await expectList(questions, "/v1/questions?created_after=2026-03-02", shop.key, ids.slice(6));
  });

  it("lists every wrong parameter at once", async () => {
    const answer = await call(
      questions,
      "GET",
      "/v1/questions?limit=0&updated_after=x&created_after=2026-02-30&moderation_status=maybe",
      { key: shop.key },
    );
    expectFaults(answer, 400, [
      "limit invalid_parameter",
      "updated_after invalid_parameter",
      "created_after invalid_parameter",
      "moderation_status invalid_parameter",
    ]);
  });

  it("refuses the cursors of its other order", async () => {
    const changes = "/v1/questions?updated_after=2026-01-01";
    await expectForeignCursor(questions, "/v1/questions", questions, changes, shop.key);
    await expectForeignCursor(questions, changes, questions, "/v1/questions", shop.key);
  });

  it("hides people from viewers", async () => {
    const { basic } = await aUser("viewer", { clients: [shop.id] });
    const list = await call(questions, "GET", "/v1/questions", { basic });
    const single = await call(one, "GET", `/v1/questions/${ids[0]}`, { basic });
    expect(single.json.data).toMatchObject({ id: ids[0], author: "Bo", author_email: null });
    expect(Object.keys(single.json.data)).toEqual(Object.keys(await get(shop, ids[0] as string)));
    expect(list.text + single.text).not.toMatch(/bo@example\.org|buyer-77/);
    const moderator = await aUser("moderator", { clients: [shop.id] });
    expect((await call(questions, "GET", "/v1/questions", { basic: moderator.basic })).text).toContain(
      "bo@example.org",
    );
  });
});

describeSynchronisation(questions, "/v1/questions", someQuestions, (client, id, turn) =>
  turn % 2 === 0
    ? anAnswer(client.id, id, { answer: `Turn ${turn}` })
    : pool().query("update questions set details = $3 where client_id = $1 and id = $2", [
        client.id,
        id,
        `Turn ${turn}`,
      ]),
);
