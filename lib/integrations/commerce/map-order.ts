import type { UncertainDates } from "@/lib/integrations/order-changes";
import { type ItemInput, OrderInput } from "@/lib/orders/schema";
import { dayIn } from "@/lib/platform/clock";
import { parse } from "@/lib/platform/http/issues";
import { type EncodedNotices, encodeIssues, encodeNotices } from "@/lib/platform/notices";
import { emailKey } from "@/lib/platform/secrets/person-hash";
import type { Shipment, StoreItem, StoreOrder } from "./read-order";
import type { CommerceSettings } from "./schema";

/** What an order alone does not tell. */
export type OrderContext = {
  settings: CommerceSettings;
  /** of the client; days are calendar days there */
  timeZone: string;
  /** of this order; null where the shop does not let us read any, `unknown` where it failed on them for now */
  shipments: Shipment[] | null | "unknown";
  /** SKUs of products by the platform's number of them */
  skus: ReadonlyMap<number, string>;
  /** products of which the shop failed to say the SKU, for now */
  unknownSkus: ReadonlySet<number>;
  /** such as `sv_SE`, by store */
  locales: ReadonlyMap<number, string>;
};

/**
 * `guessed`: items whose day of delivery is that of the order's last change, since nothing better is known; `assumed`: those
 * for which `fallback_days` says it; `unknown`: those whose shipments the shop failed on, of whose day nothing is said. `waits`: it is in a state that is skipped, and is taken when it has left it. `faults`: why
 * it cannot be taken, for people, without the customer's data.
 */
export type MappedOrder =
  | ({ order: OrderInput } & Required<UncertainDates>)
  | { waits: string }
  | { faults: EncodedNotices };

const CANCELED_STATES = new Set(["canceled", "closed"]);
/** Nothing of these is sent, so nothing of them arrives later than the order. */
const UNSHIPPED_TYPES = new Set(["virtual", "downloadable", "giftcard"]);

/** Makes of the platform's order what `POST /v1/orders` would be given. */
export function mapOrder(order: StoreOrder, context: OrderContext): MappedOrder {
  const { settings } = context;
  const state = order.state ?? "";
  if ((settings.skip_states as string[]).includes(state)) return { waits: state };
  const buyer = buyerOf(order);
  if (!buyer) return { faults: encodeNotices({ reason: "order_without_customer" }) };
  const id = orderNumberOf(order, settings);
  if (!id) return { faults: encodeNotices({ reason: "order_without_number" }) };
  const lang = languageOf(context.locales.get(order.store_id ?? -1));
  const items = mapItems(order, context);
  const parsed = parse(OrderInput, {
    order: {
      id,
      ...(order.store_name && { store_name: truncate(storeName(order.store_name)) }),
      customer: {
        id: buyer.id,
        ...optionalField("name", nameOf(order)),
        ...optionalField("email", buyer.email),
        ...optionalField("lang", lang),
      },
      items: items.map(({ item }) => item),
    },
  });
  const idsOf = (by: Delivery["by"]) =>
    new Set(items.flatMap(({ item, delivery }) => (delivery.by === by ? item.id : [])));
  if (parsed.issues === null)
    return {
      order: parsed.data.order,
      guessed: idsOf("guess"),
      assumed: idsOf("setting"),
      unknown: idsOf("unknown"),
    };
  return { faults: encodeIssues(parsed.issues, "order") };
}

/** What the order's number is here; undefined where the shop gives it none. */
export const orderNumberOf = (
  { entity_id, increment_id }: StoreOrder,
  { order_id }: Pick<CommerceSettings, "order_id">,
): string | undefined => (order_id === "entity_id" ? String(entity_id) : increment_id);

/** Who bought, by the shop's number of them, or guests by their address; null where the shop tells neither. */
export function buyerOf(order: StoreOrder): { id: string; email: string | undefined } | null {
  const email = readEmail(order.customer_email) ?? readEmail(order.billing_address?.email);
  const id = order.customer_id ? String(order.customer_id) : email && emailKey(email);
  return id ? { id, email } : null;
}

const optionalField = <K extends string>(key: K, value: string | undefined) =>
  value === undefined ? {} : { [key]: value };

/** Who has no name of their own, as guests, has one in the address the bill goes to. */
function nameOf({ customer_firstname, customer_lastname, billing_address }: StoreOrder): string | undefined {
  const fullName = (first?: string, last?: string) => [first, last].filter(Boolean).join(" ") || undefined;
  const name =
    fullName(customer_firstname, customer_lastname) ?? fullName(billing_address?.firstname, billing_address?.lastname);
  return name && truncate(name);
}

const truncate = (text: string): string => [...text].slice(0, 255).join("");

/** An address as our own interface takes it; another is as good as none. */
function readEmail(email: string | undefined): string | undefined {
  return email && /^[^\s@<>",;]+@[^\s@<>",;]+$/.test(email) && Buffer.byteLength(emailKey(email)) <= 320
    ? email
    : undefined;
}

/** `Main Website\nMain Website Store\nDefault Store View`: website, group and view, each of which may be the same. */
const storeName = (text: string): string =>
  [...new Set(text.split("\n").map((line) => line.trim()))].filter(Boolean).join(" / ");

const languageOf = (locale: string | undefined): string | undefined => /^[a-z]{2,3}(?=_|$)/.exec(locale ?? "")?.[0];

/** The row whose product is reviewed, and the row that says how much of it was sold and sent. */
type Line = { reviewedItem: StoreItem; quantityItem: StoreItem };

/** The day an item reaches its customer, and by what it is said where the shop does not tell; null: nobody knows yet. */
type Delivery = { day: string | null; by?: "guess" | "setting" | "unknown" };

/** An item, as it is posted, with what is known of its delivery. */
type MappedItem = { item: Partial<ItemInput> & { id: string }; delivery: Delivery };

function mapItems(order: StoreOrder, context: OrderContext): MappedItem[] {
  const { settings, skus, unknownSkus } = context;
  const isCanceled = CANCELED_STATES.has(order.state ?? "");
  const shipments = context.shipments === "unknown" ? null : context.shipments;
  const sent = lastShipments(order, shipments ?? []);
  const bySku = new Map<string, MappedItem & { open: number }>();
  for (const { reviewedItem, quantityItem } of reviewableLines(order, settings)) {
    const isWhole = reviewedItem === quantityItem;
    const product = reviewedItem.product_id === undefined ? undefined : skus.get(reviewedItem.product_id);
    // The row of a configurable bears the SKU of what was chosen, that of a bundle whatever the shop made up: where the
    // shop fails to say its own, it is left to the next time.
    if (isWhole && reviewedItem.product_type === "bundle" && unknownSkus.has(reviewedItem.product_id ?? -1)) continue;
    const sku = isWhole && reviewedItem.product_type === "bundle" ? (product ?? reviewedItem.sku) : reviewedItem.sku;
    if (sku === undefined || isExcluded(sku, reviewedItem, settings)) continue;
    const { qty_ordered = 1, qty_canceled = 0, qty_refunded = 0 } = quantityItem;
    const open = isCanceled ? 0 : Math.max(0, qty_ordered - qty_canceled - qty_refunded);
    const delivery = deliveryOf(order, reviewedItem, quantityItem, sent, context);
    const known = bySku.get(sku);
    if (known) {
      // The same SKU in several rows, as with different engravings: what is left of all, when the last of it came.
      known.open += open;
      const isLater = (delivery.day ?? "") > (known.delivery.day ?? "");
      if (known.delivery.by !== "unknown" && (isLater || delivery.by === "unknown")) known.delivery = delivery;
      continue;
    }
    const family = isWhole && reviewedItem.product_type === "configurable" ? product : undefined;
    bySku.set(sku, {
      open,
      delivery,
      item: {
        id: sku,
        ...(reviewedItem.name && { name: [...reviewedItem.name].slice(0, 1_000).join("") }),
        ...(family && { family_id: family }),
      },
    });
  }
  // What is left to review is not said: what a person, a return or another system switched off stays off.
  return [...bySku.values()].map(({ item, delivery, open }) => ({
    item: {
      ...item,
      ...(delivery.by !== "unknown" && { delivery_date: delivery.day }),
      ...(open <= 0 && { reviewable: false }),
    },
    delivery,
  }));
}

/**
 * Rows without a parent are what was bought. The child of a configurable repeats it with quantities that are never
 * counted; the children of a bundle are reviewed in its place where the client wants that. A child whose parent is not
 * there stands for itself.
 */
function reviewableLines(order: StoreOrder, settings: CommerceSettings): Line[] {
  const byId = new Map(order.items.map((item) => [item.item_id, item]));
  const parentOf = (item: StoreItem) => (item.parent_item_id === undefined ? undefined : byId.get(item.parent_item_id));
  return order.items.flatMap((item): Line[] => {
    const parent = parentOf(item);
    const opened = (row: StoreItem) => row.product_type === "bundle" && settings.bundles === "children";
    if (parent) return opened(parent) ? [{ reviewedItem: item, quantityItem: parent }] : [];
    const hasChildren = order.items.some((other) => parentOf(other) === item);
    return opened(item) && hasChildren ? [] : [{ reviewedItem: item, quantityItem: item }];
  });
}

function isExcluded(
  sku: string,
  { product_type }: StoreItem,
  { exclude_types, exclude_skus }: CommerceSettings,
): boolean {
  if (product_type && exclude_types.includes(product_type)) return true;
  return exclude_skus.some((pattern) => matchesPattern(sku.toLowerCase(), pattern.toLowerCase()));
}

/** Whether a text is what a pattern says, in which `*` stands for anything. Each part is taken where it first stands. */
function matchesPattern(text: string, pattern: string): boolean {
  const [first = "", ...more] = pattern.split("*");
  const last = more.pop();
  if (last === undefined) return text === first;
  if (!text.startsWith(first) || text.length < first.length + last.length || !text.endsWith(last)) return false;
  let at = first.length;
  for (const part of more) {
    const found = text.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return at + last.length <= text.length;
}

/** When the last of each row was sent. Shipments name the parent of a configurable, and of bundles the one or the other. */
function lastShipments(order: StoreOrder, shipments: Shipment[]): Map<number, Date> {
  const parents = new Map(order.items.map(({ item_id, parent_item_id }) => [item_id, parent_item_id]));
  const last = new Map<number, Date>();
  const note = (id: number | undefined, moment: Date) => {
    if (id !== undefined && moment.getTime() > (last.get(id)?.getTime() ?? -1)) last.set(id, moment);
  };
  for (const { order_id, created_at, items } of shipments) {
    if (order_id !== order.entity_id || !created_at) continue;
    for (const { order_item_id } of items) {
      note(order_item_id, created_at);
      note(parents.get(order_item_id), created_at);
    }
  }
  return last;
}

function deliveryOf(
  order: StoreOrder,
  shown: StoreItem,
  deciding: StoreItem,
  sent: Map<number, Date>,
  { settings, timeZone, shipments }: OrderContext,
): Delivery {
  const after = (moment: Date | undefined, days: number) =>
    moment ? dayIn(timeZone, new Date(moment.getTime() + days * 86_400_000)) : null;
  const shipped = sent.get(shown.item_id ?? -1) ?? sent.get(deciding.item_id ?? -1);
  if (shipped) return { day: after(shipped, settings.transit_days) };
  if (UNSHIPPED_TYPES.has(shown.product_type ?? "") || UNSHIPPED_TYPES.has(deciding.product_type ?? ""))
    return { day: after(order.created_at, 0) };
  if (shipments === "unknown") return { day: null, by: "unknown" };
  if (settings.fallback_days !== null) return { day: after(order.created_at, settings.fallback_days), by: "setting" };
  // Sent, by its own count, and we may not see when: at the latest when the order last changed.
  const wasSent = (deciding.qty_shipped ?? 0) > 0 || order.state === "complete";
  return wasSent ? { day: after(order.updated_at, settings.transit_days), by: "guess" } : { day: null };
}
