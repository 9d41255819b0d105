import { expect, it } from "vitest";
import type { Engagement } from "@/lib/engagement/client";
import { interactionsOf } from "@/lib/engagement/interactions";

it("an interaction without a readable id is there all the same, and what is none ends nothing", async () => {
  const told = { createdDate: "2026-11-01T10:00:00.4Z", payload: { rating: 5 } };
  const items = [
    null,
    "none",
    told,
    { ...told, id: 7 },
    { ...told, id: null },
    { ...told, id: "seven", payload: null },
  ];
  const ask = (async () => ({ status: 200, body: { items, links: [] } })) as unknown as Engagement;
  const created = "2026-11-01T10:00:00Z";
  const nothing = { id: "", created: "", payload: {} };
  expect(await Array.fromAsync(interactionsOf(ask, "contact", "schema"))).toEqual([
    nothing,
    nothing,
    { id: "", created, payload: { rating: 5 } },
    { id: "7", created, payload: { rating: 5 } },
    { id: "", created, payload: { rating: 5 } },
    { id: "seven", created, payload: {} },
  ]);
});
