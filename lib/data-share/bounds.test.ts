import { expect, it } from "vitest";
import { findTables } from "./find-tables";
import { mapReceipt } from "./map-receipt";
import { ShareSettings } from "./settings";
import type { Share } from "./share";
import type { LineRow, ReceiptRow } from "./sql";

it("asks for the tables of so many places and no more", async () => {
  let asked = 0;
  const share = {
    shares: async () => Array.from({ length: 2_000 }, (_, n) => `share ${n}`),
    schemas: async () => {
      asked += 1;
      return asked > 10 ? ["one", "two"] : [];
    },
    tables: async () => {
      asked += 1;
      return ["contactslatest"];
    },
  } as unknown as Share;
  expect((await findTables(share, ShareSettings.parse({}))).contacts?.name).toBe("contactslatest");
  expect(asked).toBeLessThanOrEqual(150);
});

it("cuts what is too long between characters", () => {
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
  } as LineRow;
  const settings = ShareSettings.parse({});
  const mapped = mapReceipt(receipt, [line], { settings, timeZone: "UTC", left: new Map([["i-1", 1]]) });
  const whole = `.${"🪔".repeat(254)}`;
  expect(mapped).toMatchObject({ order: { store_name: whole, items: [{ family_id: whole }] } });
});
