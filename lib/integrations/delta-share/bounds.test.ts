import { expect, it } from "vitest";
import type { DeltaShareClient } from "./client";
import { findTables } from "./find-tables";
import { mapReceipt } from "./map-receipt";
import { ShareSettings } from "./settings";
import type { ReceiptLineRow, ReceiptRow } from "./sql";

it("lists the tables of a limited number of schemas", async () => {
  let requestCount = 0;
  const share = {
    shares: async () => Array.from({ length: 2_000 }, (_, n) => `share ${n}`),
    schemas: async () => {
      requestCount += 1;
      return requestCount > 10 ? ["one", "two"] : [];
    },
    tables: async () => {
      requestCount += 1;
      return ["contactslatest"];
    },
  } as unknown as DeltaShareClient;
  const { found, missing } = await findTables(share, ShareSettings.parse({}));
  expect(found.contacts?.name).toBe("contactslatest");
  expect(requestCount).toBeLessThanOrEqual(150);
  expect(missing).toEqual({
    reason: "tables_not_in_first_places",
    params: { names: expect.stringMatching(/^receiptslatest /), max: 50 },
  });
});

it("reports that some schemas weren't searched, and finds tables in a configured schema", async () => {
  const names = Array.from({ length: 51 }, (_, n) => `share-${n}`);
  const among = (shares: string[]) =>
    ({
      shares: async () => shares,
      schemas: async (name: string) => (name === "share-50" ? ["engage"] : []),
      tables: async () => ["contactslatest", "receiptslatest", "receiptitemslatest"],
    }) as unknown as DeltaShareClient;
  const inSchema = (schema: string | null, shares = names) =>
    findTables(among(shares), ShareSettings.parse({ schema }));
  for (const schema of [null, "engage", "none"]) {
    const message = `The first 50 shares in the profile ${schema ? `don’t contain schema ${schema}` : "are empty"}`;
    await expect(inSchema(schema), String(schema)).rejects.toThrow(message);
  }
  expect(await inSchema("share-50.engage")).toMatchObject({
    found: { contacts: { share: "share-50" } },
    missing: null,
  });
  // All fifty schemas were searched.
  await expect(inSchema("none", names.slice(1))).rejects.toThrow("The profile doesn’t contain schema none.");
  expect((await inSchema(null, names.slice(1))).missing).toBeNull();
});

it("truncates long text between characters", () => {
  const receipt = {
    id: "r-1",
    contact_id: "c-1",
    data: {},
    contact: { customer_id: "c-1", data: {} },
    store: { id: "s", data: { name: `.${"🪔".repeat(300)}` } },
  } as ReceiptRow;
  const line = {
    id: "i-1",
    receipt_id: "r-1",
    contact_id: "c-1",
    sku: "LAMP",
    at: "2026-01-04T00:00:00Z",
    data: { quantity: 1 },
    article: { family: `.${"🪔".repeat(300)}` },
  } as ReceiptLineRow;
  const settings = ShareSettings.parse({});
  const mapped = mapReceipt(receipt, [line], { settings, timeZone: "UTC", remaining: new Map([["i-1", 1]]) });
  const longName = `.${"🪔".repeat(254)}`;
  expect(mapped).toMatchObject({ order: { store_name: longName, items: [{ family_id: longName }] } });
});
