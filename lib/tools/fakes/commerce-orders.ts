// Made-up orders as a Magento 2 store returns them, with the oddities of real ones.

export type Row = Record<string, unknown>;

let count = 1_000;
const nextId = () => ++count;

/** A simple row of an order, shipped or not. */
export const aRow = (row: Row = {}): Row => {
  const item_id = nextId();
  return {
    item_id,
    product_id: item_id + 5_000,
    product_type: "simple",
    sku: `SKU-${item_id}`,
    name: `Lamp ${item_id}`,
    qty_ordered: 1,
    qty_invoiced: 1,
    qty_shipped: 0,
    qty_canceled: 0,
    qty_refunded: 0,
    price: 22,
    ...row,
  };
};

/** A configurable product: two rows with one SKU. The child's counts stay 0, and it contains a copy of its parent. */
export function aConfigurable(row: Row = {}): Row[] {
  const parent = aRow({
    product_type: "configurable",
    sku: "TEE-M-ORANGE",
    name: "Tee",
    qty_shipped: 1,
    ...row,
  });
  const child = aRow({
    sku: parent.sku,
    name: `${parent.name}-M-Orange`,
    parent_item_id: parent.item_id,
    parent_item: { ...parent },
    price: 0,
    qty_ordered: parent.qty_ordered,
    qty_shipped: 0,
    qty_canceled: 0,
    qty_refunded: 0,
  });
  return [parent, child];
}

/** A bundle whose SKU is composed of its children's, shipped together or separately. */
export function aBundle(row: Row = {}, children: Row[] = [{ sku: "BALL-BLUE" }, { sku: "STRAP-6" }]): Row[] {
  const parent = aRow({
    product_type: "bundle",
    sku: "KIT-BALL-BLUE-STRAP-6",
    name: "Yoga kit",
    ...row,
  });
  return [parent, ...children.map((child) => aRow({ parent_item_id: parent.item_id, qty_canceled: 0, ...child }))];
}

/** An order. Null fields are omitted, as a store does. */
export function anOrder(order: Row = {}): Row & { entity_id: number; items: Row[] } {
  const entity_id = (order.entity_id as number | undefined) ?? nextId();
  const complete: Row = {
    entity_id,
    increment_id: String(entity_id).padStart(9, "0"),
    state: "complete",
    status: "complete",
    store_id: 1,
    store_name: "Main Website\nMain Website Store\nDefault Store View",
    created_at: "2026-01-02 03:04:05",
    updated_at: "2026-01-03 08:00:00",
    customer_is_guest: 0,
    customer_id: 12,
    customer_email: "ada@example.test",
    customer_firstname: "Ada",
    customer_lastname: "Example",
    is_virtual: 0,
    order_currency_code: "USD",
    grand_total: 47,
    items: [aRow()],
    billing_address: {
      firstname: "Ada",
      lastname: "Example",
      email: "ada@example.test",
      country_id: "US",
      street: ["1 Test Road"],
    },
    payment: { method: "banktransfer" },
    status_histories: [],
    ...order,
  };
  for (const [name, value] of Object.entries(complete)) if (value === null) delete complete[name];
  for (const item of (complete.items ?? []) as Row[]) item.order_id = entity_id;
  return complete as Row & { entity_id: number; items: Row[] };
}

/** A guest order: no customer number, and only the billing name. */
export const aGuestOrder = (order: Row = {}) =>
  anOrder({
    customer_is_guest: 1,
    customer_id: null,
    customer_email: "Guest@Example.test",
    customer_firstname: null,
    customer_lastname: null,
    customer_group_id: 0,
    billing_address: {
      firstname: "Grace",
      lastname: "Guester",
      email: "Guest@Example.test",
    },
    ...order,
  });

/** A shipment of some rows of an order. */
export const aShipment = (order: Row, rows: Row[], created_at = "2026-01-05 23:30:00"): Row => ({
  entity_id: nextId(),
  order_id: order.entity_id,
  created_at,
  updated_at: created_at,
  items: rows.map((row) => ({
    order_item_id: row.item_id,
    qty: row.qty_ordered,
    sku: row.sku,
    name: row.name,
  })),
  tracks: [{ carrier_code: "ups", title: "UPS", track_number: "1Z" }],
});
