import { describe, expect, it } from "vitest";
import { creationIssues, inputIssues, mergedColumns, newColumns, orderOf } from "@/lib/reviews/reviews/input-rules";
import { ReviewInput } from "@/lib/reviews/reviews/schema";

const settings = {
  custom_questions: [
    { id: "fit", type: "text", multiple: false, required: true, categories: [], options: [], label: {} },
  ],
};
const today = "2026-03-01";
const read = (input: unknown): ReviewInput => ReviewInput.parse(input);
const customer = { id: "c-1", email: "Ada@Example.org" };
const full = read({ author: "Ada", score: 4, order: { id: "o-1", customer, item: { id: "lamp", category: "Gifts" } } });
const columns = newColumns(settings, full, today);

describe("inputIssues", () => {
  it("accepts tomorrow, but no later date", () => {
    expect(inputIssues(settings, read({ date: "2026-03-02" }), today)).toEqual([]);
    expect(inputIssues(settings, read({ date: "2026-03-03" }), today)).toMatchObject([{ field: "review.date" }]);
  });

  it("validates answers, but requires none", () => {
    expect(inputIssues(settings, read({}), today)).toEqual([]);
    expect(inputIssues(settings, read({ custom_questions: { fit: 1, x: 1 } }), today)).toMatchObject([
      { field: "review.custom_questions.fit" },
      { field: "review.custom_questions.x" },
    ]);
  });
});

describe("creationIssues", () => {
  it("lists required fields a new review lacks", () => {
    const fields = (input: unknown) => creationIssues(read(input)).map(({ field }) => field);
    expect(fields({})).toEqual(["review.order", "review.author", "review.score"]);
    expect(fields({ author: "A", score: 1, order: { item: { family_id: "f" } } })).toEqual([]);
    expect(fields({ author: "A", score: 1, order: { item: { name: "f" } }, reject_reason: "spam" })).toEqual([
      "review.order.item.id",
      "review.reject_reason",
    ]);
  });
});

describe("columns", () => {
  it("of a new review are the given values, otherwise blank", () => {
    expect(columns).toEqual({
      external_id: null,
      product_id: "lamp",
      family_id: null,
      product_name: null,
      product_url: null,
      category: "Gifts",
      author: "Ada",
      author_email: "Ada@Example.org",
      email_key: "ada@example.org",
      score: 4,
      title: null,
      extract: "",
      pros: [],
      cons: [],
      recommended: null,
      answers: {},
      lang: null,
      date: today,
      order_id: "o-1",
      customer_id: "c-1",
      verified_buyer: true,
      verified_email: false,
      incentivized: false,
    });
    expect(newColumns(settings, { ...full, incentivized: true }, today).incentivized).toBe(true);
  });

  it("stay unchanged if not given", () => {
    const stored = { ...columns, verified_buyer: false, family_id: "lamps", product_name: "Lamp" };
    expect(mergedColumns(settings, stored, read({}))).toEqual(stored);
    expect(mergedColumns(settings, stored, read({ date: null, order: { item: {} } }))).toEqual(stored);
  });

  it("of another product or order are only the given values", () => {
    const stored = { ...columns, family_id: "lamps", product_name: "Lamp", product_url: "https://shop.example" };
    const desk = mergedColumns(settings, stored, read({ order: { item: { id: "desk", name: "Desk" } } }));
    expect(desk).toMatchObject({ product_name: "Desk", family_id: null, product_url: null, category: null });
    const other = mergedColumns(settings, stored, read({ order: { id: "o-2" } }));
    expect(other).toMatchObject({ product_name: "Lamp", family_id: "lamps", category: null, verified_buyer: true });
  });
});

describe("orderOf", () => {
  const write = (input: ReviewInput, more = {}) => orderOf({ id: "shop", config: {} }, input, { ...columns, ...more });

  it("is the order of the one item, or only its customer", () => {
    const order = { id: "o-1", store_name: undefined, items: [{ id: "lamp", category: "Gifts" }] };
    expect(write(full)).toEqual({ clientId: "shop", customer, order });
    expect(write(full, { product_id: null })).toMatchObject({ order: { items: [] } });
    expect(write(full, { order_id: null })).toEqual({ clientId: "shop", customer, order: null });
  });

  it("is null if no customer is given", () => {
    expect(write(full, { customer_id: null })).toBeNull();
    expect(write(read({}))).toBeNull();
    expect(write(read({ order: { item: { id: "x" } } }), { order_id: null })).toBeNull();
  });
});
