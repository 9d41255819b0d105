import { expect, it } from "vitest";
import type { EngagementClient } from "@/lib/integrations/engagement/client";
import { listInteractions } from "@/lib/integrations/engagement/interactions";

it("lists an interaction without a readable id, and doesn't stop at invalid entries", async () => {
  const interaction = { createdDate: "2026-11-01T10:00:00.4Z", payload: { rating: 5 } };
  const items = [
    null,
    "none",
    interaction,
    { ...interaction, id: 7 },
    { ...interaction, id: null },
    { ...interaction, id: "seven", payload: null },
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

/** A fake platform that returns these responses in order. */
const fakePlatform = (...answers: { status: number; body: unknown }[]) => {
  const requestedPaths: string[] = [];
  const ask = (async (_: string, path: string) => {
    requestedPaths.push(path);
    return answers[requestedPaths.length - 1] ?? answers.at(-1);
  }) as unknown as EngagementClient;
  return { ask, asked: requestedPaths };
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

it("ends the list at a link without a token", async () => {
  const { ask, asked: requestedPaths } = fakePlatform(page("first", "more"), page("last", ""));
  expect(await idsFrom(ask)).toEqual(["first", "last"]);
  expect(requestedPaths).toEqual([
    "/interactions?contactId=contact&schemaId=schema",
    "/interactions?contactId=contact&schemaId=schema&continuation=more",
  ]);
});

it("throws if a list is cut short, but not if there is none", async () => {
  const none = { status: 404, body: { errorCode: "ContactNotFound" } };
  expect(await idsFrom(fakePlatform(none).ask)).toEqual([]);
  await expect(idsFrom(fakePlatform(page("first", "more"), none).ask)).rejects.toThrow("is incomplete");
});
