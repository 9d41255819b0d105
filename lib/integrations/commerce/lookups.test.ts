import { expect, it } from "vitest";
import { encodeNotices } from "@/lib/platform/notices";
import type { CommerceClient } from "./client";
import { Lookups } from "./lookups";
import type { StoreOrder } from "./read-order";
import { StoreError } from "./store-error";

const orders = [{ entity_id: 1, state: "complete", items: [] }] as unknown as StoreOrder[];

it("stops reading an endless list after a limited number of pages and reports it", async () => {
  let requestCount = 0;
  const store = {
    resource: async () => {
      requestCount += 1;
      if (requestCount > 1_000) throw new Error("It was asked for without end.");
      return { items: [{}], total_count: Number.MAX_SAFE_INTEGER };
    },
  } as unknown as CommerceClient;
  const lookups = new Lookups(store, {});
  expect(await lookups.shipments(orders)).toEqual({ shipments: [], unknown: new Set([1]) });
  expect([...lookups.failures]).toEqual([
    encodeNotices({ reason: "shop_list_endless", params: { resource: "shipments" } }),
  ]);
  expect(requestCount).toBe(100);
  expect(await lookups.shipments(orders)).toEqual({ shipments: [], unknown: new Set([1]) });
  expect(requestCount).toBe(100);
});

it("skips shipments if their address can't be derived from the orders URL", async () => {
  const store = {
    resource: async () => {
      throw new StoreError("nowhere", { reason: "orders_address_alone" });
    },
  } as unknown as CommerceClient;
  const denied = {};
  expect(await new Lookups(store, denied).shipments(orders)).toEqual({ shipments: null, unknown: new Set() });
  expect(denied).toMatchObject({ shipments: { said: encodeNotices({ reason: "orders_address_alone" }) } });
});
