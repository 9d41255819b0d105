import { expect, it } from "vitest";
import { keep } from "@/lib/platform/notices";
import { StoreFault } from "./read-fault";
import type { StoreOrder } from "./read-order";
import type { Store } from "./store";
import { Lookups } from "./surroundings";

const orders = [{ entity_id: 1, state: "complete", items: [] }] as unknown as StoreOrder[];

it("reads of a list that does not end no more than so many pages, says so, and asks for it no more", async () => {
  let asked = 0;
  const store = {
    resource: async () => {
      asked += 1;
      if (asked > 1_000) throw new Error("It was asked for without end.");
      return { items: [{}], total_count: Number.MAX_SAFE_INTEGER };
    },
  } as unknown as Store;
  const lookups = new Lookups(store, {});
  expect(await lookups.shipments(orders)).toEqual({ shipments: [], unknown: new Set([1]) });
  expect([...lookups.failures]).toEqual([keep({ reason: "shop_list_endless", params: { resource: "shipments" } })]);
  expect(asked).toBe(100);
  expect(await lookups.shipments(orders)).toEqual({ shipments: [], unknown: new Set([1]) });
  expect(asked).toBe(100);
});

it("leaves shipments alone where the address that was set does not tell where they would be", async () => {
  const store = {
    resource: async () => {
      throw new StoreFault("nowhere", { reason: "orders_address_alone" });
    },
  } as unknown as Store;
  const denied = {};
  expect(await new Lookups(store, denied).shipments(orders)).toEqual({ shipments: null, unknown: new Set() });
  expect(denied).toMatchObject({ shipments: { said: keep({ reason: "orders_address_alone" }) } });
});
