import type { CommerceData } from "./commerce";
import { aBundle, aConfigurable, aGuestOrder, anOrder, aRow, aShipment, type Row } from "./commerce-orders";

const storeTime = (moment: Date) => moment.toISOString().slice(0, 19).replace("T", " ");
const attribute = (attribute_code: string, value: unknown) => ({ attribute_code, value });

const aProduct = (id: number, sku: string, name: string, given: Row = {}): Row => {
  const key = sku.toLowerCase().replace(/[^a-z0-9]+/g, "-");
  return {
    id,
    sku,
    name,
    attribute_set_id: 4,
    price: 22,
    status: 1,
    visibility: 4,
    type_id: "simple",
    created_at: "2025-06-01 10:00:00",
    updated_at: "2025-06-01 10:00:00",
    extension_attributes: {
      website_ids: [1],
      category_links: [
        { position: 0, category_id: "2" },
        { position: 0, category_id: "4" },
      ],
    },
    media_gallery_entries: [
      { id, media_type: "image", disabled: false, types: ["image", "thumbnail"], file: `/l/a/${key}.jpg` },
    ],
    custom_attributes: [
      attribute("url_key", key),
      attribute("image", `/l/a/${key}.jpg`),
      attribute("category_ids", ["2", "4"]),
      attribute("manufacturer", "11"),
    ],
    ...given,
  };
};

/**
 * A small catalog: simple products, a configurable with children not visible individually, a bundle, a grouped and a
 * disabled one.
 */
export function sampleCatalog(): Pick<CommerceData, "products" | "categories" | "storeConfigs" | "attributes"> {
  const hidden = {
    visibility: 1,
    custom_attributes: [attribute("ean", "4006381333931"), attribute("manufacturer", "11")],
  };
  return {
    products: [
      aProduct(1, "LAMP-1", "Reading lamp", {
        custom_attributes: [
          attribute("url_key", "reading-lamp"),
          attribute("ean", "4006381333931"),
          attribute("manufacturer", "12"),
        ],
      }),
      aProduct(2, "TEE-M-ORANGE", "Tee-M-Orange", { ...hidden, media_gallery_entries: [] }),
      aProduct(3, "TEE-L-ORANGE", "Tee-L-Orange", hidden),
      aProduct(4, "TEE", "Tee & more", {
        type_id: "configurable",
        extension_attributes: {
          website_ids: [1],
          category_links: [{ position: 0, category_id: "4" }],
          configurable_product_links: [2, 3],
        },
      }),
      aProduct(5, "KIT", "Yoga kit", { type_id: "bundle" }),
      aProduct(6, "STRAP-6", "Strap 6'"),
      aProduct(7, "STRAPS", "Straps", { type_id: "grouped" }),
      aProduct(8, "OLD", "Not sold any more", { status: 2 }),
      aProduct(9, "ELSEWHERE", "Of another website", { extension_attributes: { website_ids: [2] } }),
    ],
    categories: {
      id: 1,
      name: "Root Catalog",
      children_data: [
        {
          id: 2,
          name: "Default Category",
          children_data: [
            { id: 3, name: "Home", children_data: [{ id: 4, name: "Lamps &amp; Light", children_data: [] }] },
          ],
        },
      ],
    },
    storeConfigs: [
      {
        id: 1,
        code: "default",
        website_id: 1,
        locale: "sv_SE",
        timezone: "Europe/Stockholm",
        secure_base_link_url: "https://shop.example/",
        secure_base_media_url: "https://shop.example/media/",
      },
      {
        id: 2,
        code: "other",
        website_id: 2,
        locale: "de_DE",
        secure_base_link_url: "https://other.example/",
        secure_base_media_url: "https://other.example/media/",
      },
    ],
    attributes: {
      manufacturer: [
        { label: " ", value: "" },
        { label: "Lanterna", value: "11" },
        { label: "Ljus & Co", value: "12" },
      ],
    },
  };
}

/**
 * A store with every kind of order: guest, configurable, bundles shipped together and separately, grouped, virtual,
 * partly shipped, partly refunded, canceled, free, one order number in two stores, many orders in one second.
 */
export function sampleShop(now = new Date()): CommerceData {
  const daysAgo = (days: number) => storeTime(new Date(now.getTime() - days * 86_400_000));
  const shipments: Row[] = [];
  let day = 30;
  const next = () => {
    day -= 1;
    return { created_at: daysAgo(day), updated_at: daysAgo(day - 0.5) };
  };
  const shipped = (order: Row & { items: Row[] }, rows = order.items.slice(0, 1)) => {
    for (const row of rows) row.qty_shipped = row.qty_ordered;
    shipments.push(aShipment(order, rows, order.updated_at as string));
    return order;
  };
  const [kit, ball, strap] = aBundle({ product_id: 5 }) as [Row, Row, Row];
  const splitBundle = aBundle({ product_id: 5 }) as [Row, Row, Row];
  const second = daysAgo(5);
  const orders = [
    shipped(anOrder({ ...next(), items: [aRow({ sku: "LAMP-1", name: "Reading lamp", product_id: 1 })] })),
    shipped(aGuestOrder({ ...next(), items: aConfigurable({ product_id: 4 }) })),
    shipped(anOrder({ ...next(), items: [kit, ball, strap] })),
    shipped(anOrder({ ...next(), items: splitBundle }), splitBundle.slice(1)),
    shipped(anOrder({ ...next(), items: [aRow({ product_type: "grouped", sku: "STRAP-6", product_id: 6 })] })),
    anOrder({
      ...next(),
      is_virtual: 1,
      items: [aRow({ product_type: "virtual", sku: "WARRANTY", name: "Warranty" })],
    }),
    shipped(anOrder({ ...next(), state: "processing", status: "processing", items: [aRow(), aRow()] })),
    anOrder({ ...next(), items: [aRow({ qty_refunded: 1 }), aRow()] }),
    anOrder({ ...next(), state: "canceled", status: "canceled", items: [aRow({ qty_canceled: 1 })] }),
    shipped(anOrder({ ...next(), state: "closed", status: "closed", base_grand_total: 0 })),
    anOrder({ ...next(), state: "new", status: "pending" }),
    anOrder({ ...next(), increment_id: "2000000001", store_id: 1 }),
    anOrder({ ...next(), increment_id: "2000000001", store_id: 2, store_name: "Other\nOther\nDeutsch" }),
    ...Array.from({ length: 5 }, (_, n) =>
      anOrder({
        customer_id: 100 + n,
        customer_email: `same-second-${n}@example.test`,
        created_at: second,
        updated_at: second,
      }),
    ),
  ];
  return { orders, shipments, ...sampleCatalog() };
}

/** `count` more orders, each by another customer, some in the same second. */
export const manyOrders = (count: number, since = new Date("2026-01-01T00:00:00Z")): Row[] =>
  Array.from({ length: count }, (_, n) => {
    const time = storeTime(new Date(since.getTime() + Math.floor(n / 3) * 1_000));
    const email = `buyer-${n}@example.test`;
    return anOrder({
      entity_id: 10_000 + n,
      increment_id: `3${String(n).padStart(8, "0")}`,
      customer_id: 50_000 + n,
      customer_email: email,
      created_at: time,
      updated_at: time,
      items: [aRow({ sku: `LAMP-${n % 50}`, product_id: 900 + (n % 50) })],
      billing_address: { firstname: "Ada", lastname: `No ${n}`, email },
    });
  });
