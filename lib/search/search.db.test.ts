import { beforeAll, describe, expect, it } from "vitest";
import * as route from "@/app/portal/api/v1/search/route";
import { search } from "@/lib/search/search";
import { call } from "@/lib/tools/test/call";
import {
  aClient,
  aMember,
  anOrder,
  manyCustomers,
  rowsOf,
  someProducts,
  someQuestions,
  someReviews,
  type TestClient,
} from "@/lib/tools/test/factories";
import { totalQueryCost } from "@/lib/tools/test/query-cost";

const moderator = { id: "usr_moderator", role: "moderator" } as const;
const viewer = { id: "usr_viewer", role: "viewer" } as const;

let shop: TestClient;
const found = async (q: string, actor: { id: string; role: "moderator" | "viewer" } = moderator) =>
  (await search(actor, shop, q)).map(({ kind, id }) => `${kind} ${id}`);

beforeAll(async () => {
  shop = await aClient();
  await someProducts(shop.id, [
    { id: "CLOCK-1", name: "Silent wall clock", brand: "Häger" },
    { id: "LAMP-2", name: "Lampe", brand: "Ikaros" },
  ]);
  await anOrder(shop.id, {
    id: "FF-1030",
    customer: { id: "c-7", name: "Ada Berg", email: "ada.berg@mail.example" },
    items: [{ id: "CLOCK-1" }],
  });
  await anOrder(shop.id, {
    id: "FF-1031",
    customer: { id: "c-8", name: "Zoë O’Neill", email: "zoe@mail.example" },
    items: [{ id: "own", name: "Engraved spoon" }],
  });
  await someReviews(shop.id, [
    { id: "r-spoon", author: "Nils", title: "Lovely spoon", extract: "It doesn't tarnish.", accepted: true },
    { id: "r-clock", author: "Ada B.", extract: "Nobody hears it at night.", product_id: "CLOCK-1", accepted: false },
  ]);
  await someQuestions(shop.id, [{ id: "q-1", author: "Kim", question: "Does the clock need batteries?" }]);
  // Another store with the same words.
  const other = await aClient();
  await someProducts(other.id, [{ id: "CLOCK-9", name: "Silent wall clock" }]);
  await anOrder(other.id, { id: "FF-1039", customer: { id: "c-9", name: "Ada Berg", email: "ada.berg@mail.example" } });
  await someReviews(other.id, [{ id: "r-other", extract: "Nobody hears it at night.", accepted: true }]);
});

describe("a search", () => {
  it.each([
    ["an order by its number", "FF-1030", ["order FF-1030"]],
    ["orders by the beginning of their number", "FF-10", ["order FF-1030", "order FF-1031"]],
    ["an order by the digits of its number", "1030", ["order FF-1030"]],
    ["an order in lower case", "ff-1031", ["order FF-1031"]],
    ["a customer and their order by the full name", "Ada Berg", ["order FF-1030", "customer c-7"]],
    ["a customer by the beginnings of names in any order", "ber ad", ["order FF-1030", "customer c-7"]],
    ["a customer by a part of the email address", "berg@mail", ["order FF-1030", "customer c-7"]],
    ["a customer by the beginning of the email address", "ADA.berg@ma", ["order FF-1030", "customer c-7"]],
    ["a name between quotation marks", "“Ada” Berg…", ["order FF-1030", "customer c-7"]],
    ["a customer by their id", "c-7", ["customer c-7"]],
    ["a name without its accents", "zoe", ["order FF-1031", "customer c-8"]],
    ["a name with another apostrophe", "O'Neill", ["order FF-1031", "customer c-8"]],
    ["a product by its name, and a question about it", "clock", ["product CLOCK-1", "question q-1"]],
    ["a product by its SKU", "clock-1", ["product CLOCK-1"]],
    ["a product by its brand without accents", "hager", ["product CLOCK-1"]],
    ["a review by its text", "nobody NIGHT", ["review r-clock"]],
    ["a review by its author", "nils", ["review r-spoon"]],
    ["a review by its id", "r-spoon", ["review r-spoon"]],
    ["a question by its author", "kim", ["question q-1"]],
    ["nothing for words that no row has together", "nils night", []],
    ["nothing for punctuation", "--", []],
    ["nothing for syntax of the database", "') | !zz:*", []],
  ])("finds %s", async (_, q, expected) => {
    expect(await found(q)).toEqual(expected);
  });

  it("finds customers whose names begin with the words, and those who have them elsewhere, once each", async () => {
    const store = await aClient();
    for (const [id, name] of [
      ["c-1", "Ada Berg"],
      ["c-2", "Berg, Nils"],
      ["c-3", "Bo Ek"],
    ] as const)
      await anOrder(store.id, { id: `o-${id}`, customer: { id, name, email: `${id}@mail.example` } });
    const customers = (await search(moderator, store, "berg")).filter(({ kind }) => kind === "customer");
    expect(customers.map(({ id }) => id).sort()).toEqual(["c-1", "c-2"]);
  });

  it("finds a customer whose name is as long as names can be", async () => {
    const store = await aClient();
    // Each of these characters is eighteen in its plain form.
    const name = `Ada ${"\uFDFA".repeat(250)}`;
    await anOrder(store.id, { customer: { id: "c-long", name, email: "long@mail.example" } });
    const found = await search(moderator, store, "ada");
    expect(found.filter(({ kind }) => kind === "customer").map(({ id }) => id)).toEqual(["c-long"]);
  });

  it("shows customers, and what is found by their names, only to people who may see personal data", async () => {
    expect(await found("Ada Berg", viewer)).toEqual([]);
    expect(await found("c-7", viewer)).toEqual([]);
    expect(await search(viewer, shop, "FF-1030")).toMatchObject([{ id: "FF-1030", detail: null }]);
    expect(await search(moderator, shop, "FF-1030")).toMatchObject([{ id: "FF-1030", detail: "Ada Berg" }]);
  });

  it("is answered over the portal's API, for the person's stores only", async () => {
    const member = await aMember(shop, "moderator");
    const get = (query: string) => call(route, "GET", `/portal/api/v1/search?${query}`, member);
    const { status, json } = await get(`client_id=${shop.id}&q=ada+berg`);
    expect([status, json.data.map(({ id }: { id: string }) => id)]).toEqual([200, ["FF-1030", "c-7"]]);
    for (const q of ["+", "a"]) expect((await get(`client_id=${shop.id}&q=${q}`)).status, q).toBe(400);
    expect((await get(`client_id=${(await aClient()).id}&q=ada`)).status).toBe(403);
  });

  it("reads a limited number of rows, however many have the words", async () => {
    const large = await aClient();
    const ROWS = 10_000;
    await manyCustomers(large.id, ROWS);
    await rowsOf(
      `insert into reviews (client_id, id, source, author, score, extract, date, created_at, feedback_token, product_id, family_id)
       select $1, 'r' || n, 'import', 'Ada', 5, 'The lamp ' || n, '2026-01-01', now() - n * interval '1 minute', $1 || n, 'p', 'p'
         from generate_series(1, ${ROWS}) n`,
      [large.id],
    );
    await rowsOf(
      `insert into review_words (client_id, id, text_at, words)
       select client_id, id, updated_at, search_words(client_id, author || ' ' || extract) from reviews where client_id = $1`,
      [large.id],
    );
    for (const table of ["reviews", "review_words"]) await rowsOf(`analyze ${table}`);
    const queries = ["ada", "ada 777", "ff", "FF-1", "lamp", "lamp 9999", "nothing", "777@mail.example", "7@m"];
    for (const q of queries) {
      const { read } = await totalQueryCost(() => search(moderator, large, q));
      // Up to 500 candidates in each of eleven ways, and the orders of 100 customers.
      expect([q, read <= 6_000, read]).toEqual([q, true, read]);
    }
    expect(await search(moderator, large, "777@mail.example")).toMatchObject([
      { kind: "order", id: "FF-777" },
      { kind: "customer", id: "c777" },
    ]);
    expect(
      (await search(moderator, large, "lamp")).filter(({ kind }) => kind === "review").map(({ id }) => id),
    ).toEqual(["r1", "r2", "r3", "r4", "r5"]);
    expect((await search(moderator, large, "lamp 9999")).map(({ id }) => id)).toEqual(["r9999"]);
  }, 60_000);

  it("finds products by words that most have, and by a word of one", async () => {
    const large = await aClient();
    await rowsOf(
      `insert into products (client_id, id, family_id, name, deleted)
       select $1, 'p' || lpad(n::text, 4, '0'), 'p', case n when 900 then 'Clock' else 'Lamp ' || 1000 - n end, n <= 3
         from generate_series(1, 1000) n`,
      [large.id],
    );
    const products = async (q: string) => (await search(moderator, large, q)).map(({ id }) => id);
    expect(await products("clock")).toEqual(["p0900"]);
    expect(await products("lamp 7")).toContain("p0993");
    const lamps = await products("lamp");
    expect(lamps).toHaveLength(5);
    // Removed ones come last.
    expect(lamps.filter((id) => id <= "p0003")).toEqual([]);
    // Also if all of the first ones are removed.
    await rowsOf("update products set deleted = true where client_id = $1 and id <= 'p0200'", [large.id]);
    expect((await products("lamp")).filter((id) => id > "p0200")).toHaveLength(5);
  });
});
