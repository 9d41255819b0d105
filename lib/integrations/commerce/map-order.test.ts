import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { encodeNotices } from "@/lib/platform/notices";
import {
  aBundle,
  aConfigurable,
  aGuestOrder,
  anOrder,
  aRow,
  aShipment,
  type Row,
} from "@/lib/tools/fakes/commerce-orders";
import { mapOrder, type OrderContext } from "./map-order";
import { readShipment, StoreOrder } from "./read-order";
import { CommerceSettings } from "./schema";

const settingsWith = (given: Row = {}) =>
  CommerceSettings.parse({
    orders_url: "https://shop.test/rest/V1/orders",
    auth: "bearer",
    ...given,
  });

type Around = Partial<Omit<OrderContext, "settings" | "shipments">> & {
  settings?: Row;
  shipments?: Row[] | null | "unknown";
};

function map(order: Row, { settings, shipments = [], ...around }: Around = {}) {
  return mapOrder(StoreOrder.parse(order), {
    settings: settingsWith(settings),
    timeZone: "UTC",
    skus: new Map(),
    unknownSkus: new Set(),
    locales: new Map(),
    shipments: Array.isArray(shipments) ? shipments.map((shipment) => readShipment(shipment)!) : shipments,
    ...around,
  });
}

function mapToInput(order: Row, around: Around = {}) {
  const mapped = map(order, around);
  if (!("order" in mapped)) throw new Error(`It was not taken: ${JSON.stringify(mapped)}`);
  return mapped.order;
}
const items = (order: Row, around: Around = {}) => mapToInput(order, around).items;

describe("items", () => {
  it("imports a configurable once, as the selected SKU in its parent's family", () => {
    const rows = aConfigurable({ product_id: 1545 });
    const order = anOrder({ items: rows });
    expect(
      items(order, {
        skus: new Map([[1545, "TEE"]]),
        shipments: [aShipment(order, [rows[0]!])],
      }),
    ).toEqual([
      {
        id: "TEE-M-ORANGE",
        name: "Tee",
        family_id: "TEE",
        delivery_date: "2026-01-07",
        returned: false,
      },
    ]);
  });

  it("leaves the family to the catalog if the parent's SKU is unknown", () => {
    expect(items(anOrder({ items: aConfigurable() }))[0]).not.toHaveProperty("family_id");
  });

  it("uses the parent's quantities for a configurable", () => {
    expect(items(anOrder({ items: aConfigurable({ qty_canceled: 1 }) }))).toMatchObject([{ reviewable: false }]);
    expect(items(anOrder({ items: aConfigurable({ qty_ordered: 2, qty_refunded: 1 }) }))[0]).not.toHaveProperty(
      "reviewable",
    );
  });

  it("imports a bundle by its own SKU, or its contents", () => {
    const rows = aBundle({ product_id: 46 });
    const order = anOrder({ items: rows });
    expect(items(order, { skus: new Map([[46, "KIT"]]) })).toMatchObject([{ id: "KIT", name: "Yoga kit" }]);
    expect(items(order)).toMatchObject([{ id: "KIT-BALL-BLUE-STRAP-6" }]);
    expect(items(order, { settings: { bundles: "children" } }).map(({ id }) => id)).toEqual(["BALL-BLUE", "STRAP-6"]);
  });

  it("uses a bundle's quantities for its contents, and finds shipments of either", () => {
    const rows = aBundle({ qty_refunded: 1 });
    const settings = { bundles: "children", fallback_days: null };
    expect(items(anOrder({ items: rows }), { settings })).toMatchObject([{ reviewable: false }, { reviewable: false }]);
    const [parent, ball, strap] = aBundle() as [Row, Row, Row];
    const order = anOrder({
      state: "processing",
      items: [parent, ball, strap],
    });
    const together = items(order, {
      settings,
      shipments: [aShipment(order, [parent])],
    });
    expect(together.map(({ delivery_date }) => delivery_date)).toEqual(["2026-01-07", "2026-01-07"]);
    const separateItems = items(order, {
      settings,
      shipments: [aShipment(order, [ball]), aShipment(order, [strap], "2026-01-20 10:00:00")],
    });
    expect(separateItems.map(({ delivery_date }) => delivery_date)).toEqual(["2026-01-07", "2026-01-22"]);
  });

  it("imports members of a grouped product as the individual products", () => {
    const rows = [aRow({ product_type: "grouped", sku: "STRAP-6" }), aRow({ product_type: "grouped", sku: "STRAP-8" })];
    expect(items(anOrder({ items: rows })).map(({ id }) => id)).toEqual(["STRAP-6", "STRAP-8"]);
  });

  it("merges rows of one SKU, reviewable while any quantity is left", () => {
    const two = (second: Row) =>
      anOrder({
        items: [aRow({ sku: "MUG", qty_canceled: 1 }), aRow({ sku: "MUG", ...second })],
      });
    expect(items(two({}))).toHaveLength(1);
    expect(items(two({}))[0]).not.toHaveProperty("reviewable");
    expect(items(two({ qty_refunded: 1 }))).toMatchObject([{ id: "MUG", reviewable: false }]);
  });

  it("skips excluded product types and SKUs", () => {
    const rows = [
      aRow({ sku: "LAMP" }),
      aRow({ sku: "Shipping-Protection", product_type: "virtual" }),
      aRow({ sku: "GC-50" }),
    ];
    const ids = (settings: Row) => items(anOrder({ items: rows }), { settings }).map(({ id }) => id);
    expect(ids({ exclude_types: ["virtual"] })).toEqual(["LAMP", "GC-50"]);
    expect(ids({ exclude_skus: ["shipping-*", "gc-*"] })).toEqual(["LAMP"]);
    expect(ids({ exclude_skus: "GC.50" })).toHaveLength(3);
    expect(ids({ exclude_skus: ["*pro*ect*", "g*5*0", "lam*mp", "la"] })).toEqual(["LAMP"]);
  });

  it("matches near misses of a pattern with many wildcards in linear time", () => {
    const rows = [aRow({ sku: `${"a".repeat(60)}b` })];
    expect(items(anOrder({ items: rows }), { settings: { exclude_skus: [`${"a*".repeat(30)}c`] } })).toHaveLength(1);
  });

  it("reads numeric strings, and imports a child without its parent as its own item", () => {
    const rows = [aRow({ qty_ordered: "2.0000", qty_canceled: "2.0000" }), aRow({ sku: "ORPHAN", parent_item_id: 1 })];
    expect(items(anOrder({ items: rows }))).toMatchObject([{ reviewable: false }, { id: "ORPHAN" }]);
  });

  it("ignores rows repeated in shipping assignments", () => {
    const rows = aConfigurable();
    const extension_attributes = { shipping_assignments: [{ shipping: { method: "flatrate_flatrate" }, items: rows }] };
    expect(items(anOrder({ items: rows, extension_attributes }))).toEqual(items(anOrder({ items: rows })));
  });

  it("accepts orders without items, prices or SKUs", () => {
    expect(items(anOrder({ items: null }))).toEqual([]);
    expect(items(anOrder({ items: [aRow({ sku: null }), { sku: "BARE" }] }))).toMatchObject([{ id: "BARE" }]);
  });
});

describe("order states", () => {
  it.each(["new", "pending_payment", "payment_review", "holded"])("waits while the order is %s", (state) => {
    expect(map(anOrder({ state }))).toEqual({ skippedState: state });
    expect(map(anOrder({ state }), { settings: { skip_states: "" } })).toHaveProperty("order");
  });

  it("makes all items not reviewable if the order is canceled", () => {
    expect(items(anOrder({ state: "canceled", items: [aRow(), aRow()] }))).toMatchObject([
      { reviewable: false },
      { reviewable: false },
    ]);
  });

  describe("if the order is closed", () => {
    const sentFields = (order: Row, settings: Row = {}) =>
      items(anOrder({ state: "closed", ...order }), { settings }).map(({ returned, reviewable, delivery_date }) => [
        returned,
        reviewable,
        delivery_date,
      ]);
    const shipped = (row: Row = {}) => aRow({ qty_shipped: 1, ...row });

    it.each([undefined, null, 0, "0.0000"])("takes it as complete without refunds (%s)", (base_total_refunded) => {
      const rows = [shipped(), aRow({ product_type: "virtual" }), aRow({ qty_canceled: 1 })];
      const order = { base_total_refunded, base_grand_total: 0, items: rows };
      const fields = [
        [false, undefined, "2026-01-09"],
        [false, undefined, "2026-01-02"],
        [false, false, null],
      ];
      expect(sentFields(order)).toEqual(fields);
      expect(sentFields({ ...order, state: "complete" })).toEqual(fields);
      // Free items that were returned have no refund, but quantities.
      expect(sentFields({ ...order, items: [shipped({ qty_refunded: 1 }), shipped()] })).toEqual([
        [true, false, "2026-01-09"],
        [false, undefined, "2026-01-09"],
      ]);
      const around = { shipments: null, settings: { fallback_days: null } };
      expect(map(anOrder({ ...order, state: "closed", items: [aRow({ sku: "LAMP" })] }), around)).toMatchObject({
        order: { items: [{ id: "LAMP", delivery_date: "2026-01-05" }] },
        guessed: new Set(["LAMP"]),
      });
    });

    it("doesn't take items as kept if the order was refunded without their quantities", () => {
      const refunded = { base_total_refunded: "47.0000" };
      for (const settings of [{}, { invite_returned: true }]) {
        expect(sentFields({ ...refunded, items: [shipped()] }, settings)).toEqual([[null, false, "2026-01-09"]]);
        expect(sentFields({ ...refunded, items: [aRow()] }, settings)).toEqual([[null, false, null]]);
        // Neither the item that was refunded before its shipment, nor the order counts as kept.
        expect(sentFields({ ...refunded, items: [shipped(), aRow({ qty_refunded: 1 })] }, settings)).toEqual([
          [null, false, "2026-01-09"],
          [null, false, null],
        ]);
        const partly = shipped({ qty_ordered: 2, qty_refunded: 1 });
        expect(sentFields({ ...refunded, items: [partly] }, settings)).toEqual([[null, undefined, "2026-01-09"]]);
      }
      const returned = { ...refunded, items: [shipped({ qty_refunded: 1 })] };
      expect(sentFields(returned)).toEqual([[true, false, "2026-01-09"]]);
      expect(sentFields(returned, { invite_returned: true })).toEqual([[true, undefined, "2026-01-09"]]);
    });
  });

  it("makes refunded and canceled items not reviewable, and leaves the others unset", () => {
    const rows = [
      aRow({ qty_refunded: 1 }),
      aRow({ qty_ordered: 3, qty_canceled: 3 }),
      aRow({ qty_ordered: 3, qty_refunded: 2 }),
    ];
    expect(items(anOrder({ items: rows })).map(({ reviewable }) => reviewable)).toEqual([false, false, undefined]);
  });

  it("takes as returned what was refunded beyond what was never shipped", () => {
    const returned = (row: Row, shipped = false) => {
      const order = anOrder({ items: [aRow({ qty_ordered: 2, ...row })] });
      const shipments = shipped ? [aShipment(order, order.items)] : [];
      return items(order, { shipments })[0]?.returned;
    };
    // One of two refunded before the other was shipped, and one of two sent back.
    expect(returned({ qty_shipped: 1, qty_refunded: 1 })).toBe(false);
    expect(returned({ qty_shipped: 1, qty_refunded: 2 })).toBe(true);
    expect(returned({ qty_shipped: 1, qty_canceled: 1, qty_refunded: 1 })).toBe(true);
    expect(returned({ qty_shipped: 2, qty_refunded: 1 })).toBe(true);
    expect(returned({ qty_shipped: 2 })).toBe(false);
    // Without a shipped quantity, such as a bundle whose products are shipped separately.
    expect(returned({ qty_refunded: 1 }, true)).toBe(true);
    expect(returned({ qty_refunded: 1 })).toBe(false);
  });

  describe.each(["processing", "complete", "closed"])(
    "if an order that is %s has refunds of items that may have been shipped",
    (state) => {
      // Its products were shipped separately, so the bundle has no shipped quantity.
      const bundle = (row: Row = {}) =>
        aBundle({ sku: "KIT", qty_refunded: 1, ...row }, [{ sku: "BALL-BLUE", qty_shipped: 1 }]);
      const sentFields = (rows: Row[], around: Around) =>
        items(anOrder({ state, items: rows }), around).map(({ returned, reviewable }) => [returned, reviewable]);
      const inviting = { settings: { invite_returned: true } };

      it("leaves both open while shipments fail", () => {
        const failing = { ...inviting, shipments: "unknown" as const };
        expect(sentFields(bundle(), failing)).toEqual([[null, undefined]]);
        const rows = [
          aRow({ qty_shipped: 1, qty_refunded: 1 }), // returned
          aRow({ qty_ordered: 2, qty_shipped: 1, qty_refunded: 1, qty_canceled: 1 }),
          aRow({ product_type: "virtual", qty_refunded: 1 }), // never shipped
          aRow({ qty_canceled: 1 }),
        ];
        expect(sentFields(rows, failing)).toEqual([
          [true, undefined],
          [true, undefined],
          [true, undefined],
          [false, false],
        ]);
        // Nothing is left of it either way.
        expect(sentFields(bundle({ qty_canceled: 1 }), failing)).toEqual([[null, false]]);
        // Rows of one SKU.
        const kit = (row: Row) => [aRow({ sku: "KIT", ...row }), ...bundle()];
        expect(sentFields(kit({ qty_canceled: 1 }), failing)).toEqual([[null, undefined]]);
        expect(sentFields(kit({ qty_canceled: 1 }).reverse(), failing)).toEqual([[null, undefined]]);
        expect(sentFields(kit({ qty_shipped: 1, qty_refunded: 1 }), failing)).toEqual([[true, undefined]]);
        expect(sentFields(kit({ qty_shipped: 1, qty_refunded: 1 }).reverse(), failing)).toEqual([[true, undefined]]);
      });

      it("doesn't make them reviewable without invite_returned", () => {
        for (const shipments of ["unknown", null] as const)
          expect(sentFields(bundle(), { shipments })).toEqual([[null, false]]);
      });

      it("leaves them and their day open if access to shipments is denied", () => {
        const denied = { ...inviting, shipments: null };
        expect(sentFields(bundle(), denied)).toEqual([[null, undefined]]);
        for (const around of [denied, { shipments: null }]) {
          const mapped = map(anOrder({ state, items: bundle() }), around);
          expect(mapped).toMatchObject({ unknown: new Set(["KIT"]), assumed: new Set(), guessed: new Set() });
          expect(items(anOrder({ state, items: bundle() }), around)[0]).not.toHaveProperty("delivery_date");
          // Another one is left.
          const [one] = items(anOrder({ state, items: bundle({ qty_ordered: 2 }) }), around);
          expect(one).toEqual({ id: "KIT", name: "Yoga kit", returned: null, delivery_date: "2026-01-09" });
        }
        const rows = [aRow({ qty_shipped: 1, qty_refunded: 1 })];
        expect(sentFields(rows, { ...inviting, shipments: null })).toEqual([[true, undefined]]);
        // Nor does the order count as kept for another item.
        expect(sentFields([aRow({ qty_canceled: 1 }), ...bundle(), ...rows], denied)).toEqual([
          [null, false],
          [null, undefined],
          [true, undefined],
        ]);
      });

      it("decides by their shipments", () => {
        const rows = bundle();
        const order = anOrder({ state, items: rows });
        const fields = (shipments: Row[]) =>
          items(order, { ...inviting, shipments }).map(({ returned, reviewable }) => [returned, reviewable]);
        expect(fields([aShipment(order, rows.slice(1))])).toEqual([[true, undefined]]);
        expect(fields([])).toEqual([[false, false]]);
      });
    },
  );

  it.each(["virtual", "downloadable", "giftcard"])("takes a refund of what is %s as a return", (product_type) => {
    const rows = [
      aRow({ product_type, qty_refunded: 1 }),
      aRow({ product_type, qty_ordered: 2, qty_refunded: 1 }),
      aRow({ product_type, qty_ordered: 2, qty_canceled: 1, qty_refunded: 1 }),
      aRow({ product_type, qty_canceled: 1 }),
      aRow({ product_type }),
    ];
    const day = "2026-01-02";
    const fields = (invite_returned: boolean, more: Row = {}) =>
      items(anOrder({ items: rows, ...more }), { settings: { invite_returned } }).map(
        ({ returned, reviewable, delivery_date }) => [returned, reviewable, delivery_date],
      );
    const [kept, canceled] = [
      [false, undefined, day],
      [false, false, null],
    ];
    const returned = [true, false, day];
    const invited = [true, undefined, day];
    expect(fields(false)).toEqual([returned, invited, returned, canceled, kept]);
    expect(fields(true)).toEqual([invited, invited, invited, canceled, kept]);
    expect(fields(true, { state: "canceled", items: rows.slice(3) })).toEqual([canceled, canceled]);
    expect(fields(true, { state: "closed", base_total_refunded: 22, items: rows.slice(0, 1) })).toEqual([invited]);
    expect(fields(true, { state: "closed", base_total_refunded: 22, items: rows.slice(4) })).toEqual([
      [null, false, day],
    ]);
  });

  it("reads what the order is worth, and what was refunded after its shipment", () => {
    const rows = [
      aRow({ qty_ordered: 2, qty_shipped: 2, qty_refunded: 1 }),
      aRow({ qty_shipped: 1, qty_refunded: 1 }),
      aRow({ qty_refunded: 1 }),
      aRow({ qty_shipped: 1 }),
    ];
    const returns = (more: Row, settings = {}) =>
      items(anOrder({ items: rows, ...more }), { settings }).map(({ returned, reviewable }) => [returned, reviewable]);
    const both = [
      [true, undefined],
      [true, false],
      [false, false],
      [false, undefined],
    ];
    expect(returns({})).toEqual(both);
    both[1] = [true, undefined];
    expect(returns({}, { invite_returned: true })).toEqual(both);
    expect(returns({ state: "closed" }, { invite_returned: true })).toEqual(both);
    const orderValue = (base_grand_total: unknown) => {
      const mapped = map(anOrder({ base_grand_total }));
      return "order" in mapped ? mapped.order.value : mapped;
    };
    expect([47.5, "47.5", 0, null, -1, "x"].map(orderValue)).toEqual([47.5, 47.5, 0, undefined, undefined, undefined]);
  });
});

describe("delivery dates", () => {
  it("counts transit days from the last shipment of each item", () => {
    const rows = [aRow({ qty_ordered: 2 }), aRow()];
    const order = anOrder({ state: "processing", items: rows });
    const shipments = [aShipment(order, [rows[0]!]), aShipment(order, [rows[0]!], "2026-01-09 00:10:00")];
    expect(
      items(order, { shipments, settings: { transit_days: 3 } }).map(({ delivery_date }) => delivery_date),
    ).toEqual([
      "2026-01-12",
      "2026-01-09", // not shipped yet: a week after the order
    ]);
  });

  it("assumes no day for what was canceled, or refunded without a shipment", () => {
    const rows = [
      aRow({ qty_canceled: 1 }),
      aRow({ product_type: "virtual", qty_canceled: 1 }),
      aRow({ qty_refunded: 1 }),
      aRow({ qty_ordered: 2, qty_canceled: 1 }),
      aRow({ qty_shipped: 1, qty_refunded: 1 }),
    ];
    const days = (more: Row, context = {}) =>
      items(anOrder({ state: "processing", items: rows, ...more }), context).map(({ delivery_date }) => delivery_date);
    expect(days({})).toEqual([null, null, null, "2026-01-09", "2026-01-09"]);
    expect(days({ state: "canceled", items: [aRow(), aRow({ product_type: "virtual" })] })).toEqual([null, null]);
    // While shipments fail, a known day stays.
    expect(days({}, { shipments: "unknown" })).toEqual([undefined, null, undefined, undefined, undefined]);
  });

  it("waits for a shipment if configured", () => {
    const settings = { fallback_days: null };
    expect(items(anOrder({ state: "processing" }), { settings })).toMatchObject([{ delivery_date: null }]);
  });

  it("estimates delivery from the order's last change if shipments can't be read", () => {
    const order = anOrder({
      state: "processing",
      items: [aRow({ sku: "LAMP", qty_shipped: 1 }), aRow({ sku: "MUG" })],
    });
    const mapped = map(order, { shipments: null, settings: { fallback_days: null } });
    expect(mapped).toMatchObject({
      order: {
        items: [
          { id: "LAMP", delivery_date: "2026-01-05" },
          { id: "MUG", delivery_date: null },
        ],
      },
      guessed: new Set(["LAMP"]),
    });
    const [lamp] = order.items as [Row, Row];
    const mappedOrder = map(order, { shipments: [aShipment(order, [lamp])], settings: { fallback_days: null } });
    expect(mappedOrder).toMatchObject({ guessed: new Set() });
  });

  it("marks items whose date comes only from a setting", () => {
    const [lamp, mug] = [aRow({ sku: "LAMP" }), aRow({ sku: "MUG" })];
    const order = anOrder({ state: "processing", items: [lamp, mug, aRow({ product_type: "virtual" })] });
    expect(map(order, { shipments: [aShipment(order, [mug])] })).toMatchObject({
      guessed: new Set(),
      assumed: new Set(["LAMP"]),
    });
    expect(map(order, { settings: { fallback_days: null } })).toMatchObject({ assumed: new Set() });
  });

  it("uses the last date of rows with one SKU, and marks estimates", () => {
    const [sent, guessed] = [aRow({ sku: "MUG" }), aRow({ sku: "MUG", qty_shipped: 1 })];
    const order = anOrder({ state: "processing", items: [sent, guessed] });
    const settings = { fallback_days: null };
    const at = (moment: string) => map(order, { shipments: [aShipment(order, [sent], moment)], settings });
    const item = (delivery_date: string) => ({ order: { items: [{ id: "MUG", delivery_date }] } });
    expect(at("2026-01-02 10:00:00")).toMatchObject({ ...item("2026-01-05"), guessed: new Set(["MUG"]) });
    expect(at("2026-01-20 10:00:00")).toMatchObject({ ...item("2026-01-22"), guessed: new Set() });
  });

  it("treats unshipped product types as delivered immediately", () => {
    const rows = [aRow({ product_type: "virtual" }), aRow({ product_type: "downloadable" })];
    expect(items(anOrder({ is_virtual: 1, items: rows })).map((item) => item.delivery_date)).toEqual([
      "2026-01-02",
      "2026-01-02",
    ]);
  });

  it("reads times as UTC and computes days in the client's time zone", () => {
    const order = anOrder({ created_at: "2026-01-02 23:30:00" });
    const settings = { fallback_days: 0 };
    expect(items(order, { settings })[0]?.delivery_date).toBe("2026-01-02");
    expect(items(order, { settings, timeZone: "Europe/Stockholm" })[0]?.delivery_date).toBe("2026-01-03");
  });

  it("ignores shipments of other orders", () => {
    const [order, other] = [anOrder(), anOrder()];
    const [row] = order.items as [Row];
    const shipments = [{ ...aShipment(other, [row]), created_at: "2026-02-01 00:00:00" }];
    expect(items(order, { shipments })[0]?.delivery_date).toBe("2026-01-09");
  });
});

describe("customers", () => {
  it("identifies customers by id and guests by normalized email", () => {
    expect(mapToInput(anOrder()).customer).toEqual({
      id: "12",
      name: "Ada Example",
      email: "ada@example.test",
    });
    expect(mapToInput(aGuestOrder()).customer).toEqual({
      id: "guest@example.test",
      name: "Grace Guester",
      email: "Guest@Example.test",
    });
  });

  it("accepts an order without a usable email, and rejects one without a customer", () => {
    expect(mapToInput(anOrder({ customer_email: "none", billing_address: null })).customer).toEqual({
      id: "12",
      name: "Ada Example",
    });
    const orderWithoutEmail = aGuestOrder({
      customer_email: null,
      billing_address: { firstname: "Secret" },
    });
    const mapped = map(orderWithoutEmail) as { notices: string };
    expect(mapped.notices).toBe(encodeNotices({ reason: "order_without_customer" }));
  });

  it("uses the language of the store view", () => {
    const locales = new Map([[1, "sv_SE"]]);
    expect(mapToInput(anOrder(), { locales }).customer.lang).toBe("sv");
    expect(mapToInput(anOrder({ store_id: 2 }), { locales }).customer).not.toHaveProperty("lang");
  });

  it("sets the store name, and uses the configured order number", () => {
    expect(mapToInput(anOrder({ store_name: "Shop\nShop\nSwedish " })).store_name).toBe("Shop / Swedish");
    const order = anOrder({ entity_id: 77, increment_id: "000000013-1" });
    expect(mapToInput(order).id).toBe("000000013-1");
    expect(mapToInput(order, { settings: { order_id: "entity_id" } }).id).toBe("77");
  });

  it("stores hostile text as plain text, truncated to the column's length", () => {
    const order = anOrder({
      customer_firstname: `<script>\u0000${"å".repeat(400)}\ud800`,
      increment_id: 42,
    });
    const { id, customer } = mapToInput(order);
    expect(id).toBe("42");
    expect([...customer.name!]).toHaveLength(255);
    expect(customer.name).toMatch(/^<script>å+$/);
  });

  it("names the invalid field if an order can't be stored", () => {
    expect(map(anOrder({ increment_id: "9".repeat(300) }))).toEqual({
      notices: encodeNotices({ reason: "too_long", params: { max: 255 }, field: "id" }),
    });
  });
});

const recorded = path.resolve(import.meta.dirname, "../../../../shared/data/magento");
describe.skipIf(!existsSync(recorded))("recorded responses of a store", () => {
  const read = (name: string) => JSON.parse(readFileSync(path.join(recorded, `${name}.json`), "utf8")) as Row;
  const all = {
    settings: { skip_states: "" },
    skus: new Map([
      [196, "MH09"],
      [1909, "WP13"],
    ]),
  };

  it.each([
    ["order-9-configurable-new", ["MH09-XS-Blue", "RACER"], [undefined, undefined], "MH09"],
    ["order-9-canceled-after-edit", ["MH09-XS-Blue", "RACER"], [false, false], "MH09"],
    ["order-10-edited-of-9", ["MH09-XS-Blue", "RACER"], [undefined, undefined], "MH09"],
    // Bought as two simple products: neither has a known family.
    ["order-12-processing", ["MH09-XS-Blue", "RACER"], [undefined, undefined], undefined],
    ["order-16-guest-configurable", ["WP13-28-Blue"], [undefined], "WP13"],
  ])("%s", (name, ids, reviewable, family) => {
    const order = mapToInput(read(name), all);
    expect(order.items.map(({ id }) => id)).toEqual(ids);
    expect(order.items.map((item) => item.reviewable)).toEqual(reviewable);
    expect(order.items[0]?.family_id).toBe(family);
  });

  it("keeps an edited order apart from the one it replaces, and a guest apart from customers", () => {
    expect(mapToInput(read("order-10-edited-of-9"), all).id).toBe("000000013-1");
    expect(mapToInput(read("order-9-configurable-new"), all)).toMatchObject({
      id: "000000013",
      customer: {
        id: "1",
        name: "Veronica Costello",
        email: "roni_cost@example.com",
      },
    });
    expect(mapToInput(read("order-16-guest-configurable"), all).customer).toEqual({
      id: "guest@example.com",
      name: "Guest Guester",
      email: "guest@example.com",
    });
  });

  it("maps a processing order completely: items, customer and dates", () => {
    // Nothing is shipped yet, so delivery is assumed seven days after the order.
    const delivery_date = "2020-05-02";
    expect(mapToInput(read("order-12-processing"))).toEqual({
      id: "000000015",
      value: 253.74,
      store_name: "Main Website / Main Website Store / Default Store View",
      customer: { id: "1", name: "Veronica Costello", email: "roni_cost@example.com" },
      items: [
        { id: "MH09-XS-Blue", name: "Abominable Hoodie-XS-Blue", delivery_date, returned: false },
        { id: "RACER", name: "Racer Back Maxi Dress", delivery_date, returned: false },
      ],
    });
  });

  it("maps the whole list with the settings, with new orders waiting", () => {
    const { items: orders } = read("orders-list-assembled") as { items: Row[] };
    const mapped = orders.map((order) => map(order));
    expect(mapped.map((one) => ("order" in one ? one.order.items.length : one))).toEqual([
      2,
      { skippedState: "new" },
      { skippedState: "new" },
      2,
    ]);
  });
});
