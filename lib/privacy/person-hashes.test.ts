import { describe, expect, it } from "vitest";
import { personHash } from "@/lib/platform/secrets/person-hash";
import { personHashesIn } from "@/lib/privacy/person-hashes";

const customer = (id: string) => personHash("shop", "customer", id);
const email = (address: string) => personHash("shop", "email", address);

describe("personHashesIn", () => {
  it("finds the customer of an order, by id and address", () => {
    const order = { id: "1", customer: { id: "c-1", name: "Ada", email: "Ada@example.org" }, items: [{ id: "c-9" }] };
    expect(personHashesIn("shop", { data: [order] })).toEqual([customer("c-1"), email("ada@example.org")].sort());
    expect(personHashesIn("shop", { order })).toEqual(personHashesIn("shop", { data: [order] }));
  });

  it("finds the author and the customer of a review", () => {
    const review = { id: "5f", customer_id: "c-1", author: "Ada", author_email: " ada@EXAMPLE.org " };
    expect(personHashesIn("shop", { data: review })).toEqual([customer("c-1"), email("ada@example.org")].sort());
  });

  it("finds each person once, and none in other values", () => {
    const two = [{ customer_id: "c-1" }, { customer_id: "c-2" }, { customer: { id: "c-1" } }];
    expect(personHashesIn("shop", two)).toEqual([customer("c-1"), customer("c-2")].sort());
    const nobody = { data: { customer_id: null, author_email: null, email: "", customer: null, items: ["email"] } };
    for (const value of [nobody, null, undefined, "email", 1, []]) expect(personHashesIn("shop", value)).toEqual([]);
  });
});
