import { expect, it } from "vitest";
import type { EngagementClient } from "@/lib/integrations/engagement/client";
import { listInteractions } from "@/lib/integrations/engagement/interactions";

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
  const ask = (async () => ({ status: 200, body: { items, links: [] } })) as unknown as EngagementClient;
  const created = "2026-11-01T10:00:00Z";
  const nothing = { id: "", created: "", payload: {} };
  expect(await Array.fromAsync(listInteractions(ask, "contact", "schema"))).toEqual([
    nothing,
    nothing,
    { id: "", created, payload: { rating: 5 } },
    { id: "7", created, payload: { rating: 5 } },
    { id: "", created, payload: { rating: 5 } },
    { id: "seven", created, payload: {} },
  ]);
});

/** A platform that answers with these, one after the other. */
const answering = (...answers: { status: number; body: unknown }[]) => {
  const asked: string[] = [];
  const ask = (async (_: string, path: string) => {
    asked.push(path);
    return answers[asked.length - 1] ?? answers.at(-1);
  }) as unknown as EngagementClient;
  return { ask, asked };
};
const page = (id: string, continuation?: string) => ({
  status: 200,
  body: {
    items: [{ id, createdDate: "2026-11-01T10:00:00Z", payload: {} }],
    links:
      continuation === undefined ? [] : [{ rel: "next", href: `/api/v3/interactions?continuation=${continuation}` }],
  },
});
const idsFrom = async (ask: EngagementClient) =>
  (await Array.fromAsync(listInteractions(ask, "contact", "schema"))).map(({ id }) => id);

it("a list ends with a link without a token", async () => {
  const { ask, asked } = answering(page("first", "more"), page("last", ""));
  expect(await idsFrom(ask)).toEqual(["first", "last"]);
  expect(asked).toEqual([
    "/interactions?contactId=contact&schemaId=schema",
    "/interactions?contactId=contact&schemaId=schema&continuation=more",
  ]);
});

it("a list that breaks off is not taken for a whole one, nor one that is not there for a broken one", async () => {
  const none = { status: 404, body: { errorCode: "ContactNotFound" } };
  expect(await idsFrom(answering(none).ask)).toEqual([]);
  await expect(idsFrom(answering(page("first", "more"), none).ask)).rejects.toThrow("is incomplete");
});
