import type { UncertainDates } from "@/lib/integrations/order-changes";
import { type ItemInput, OrderInput } from "@/lib/orders/schema";
import { dayIn } from "@/lib/platform/clock";
import { amount } from "@/lib/platform/http/fields";
import { parse } from "@/lib/platform/http/issues";
import { type EncodedNotices, encodeIssues, encodeNotices } from "@/lib/platform/notices";
import { emailKey } from "@/lib/platform/secrets/person-hash";
import type { Shipment, StoreItem, StoreOrder } from "./read-order";
import type { CommerceSettings } from "./schema";

/** What an order alone doesn't contain. */
export type OrderContext = {
  settings: CommerceSettings;
  /** of the client; dates are calendar days in it */
  timeZone: string;
  /** of this order; null if they can't be read, such as without permission, `unknown` if the store failed on them for now */
  shipments: Shipment[] | null | "unknown";
  /** SKUs of products by the store's id */
  skus: ReadonlyMap<number, string>;
  /** products whose SKU lookup failed for now */
  unknownSkus: ReadonlySet<number>;
  /** such as `sv_SE`, by store id */
  locales: ReadonlyMap<number, string>;
};

/**
 * `guessed`: items with an estimated delivery date, based on the order's last change; `assumed`: items dated by
 * `fallback_days`; `unknown`: items without a date, since their shipments can't be read. `skippedState`: the order's state
 * is skipped for now. `notices`: why the order can't be imported, without customer data.
 */
export type MappedOrder =
  | ({ order: OrderInput } & Required<UncertainDates>)
  | { skippedState: string }
  | { notices: EncodedNotices };

/** Types without shipment, delivered on the day of the order. */
const UNSHIPPED_TYPES = new Set(["virtual", "downloadable", "giftcard"]);

/** Maps a store's order to the body of `POST /v1/orders`. */
export function mapOrder(order: StoreOrder, context: OrderContext): MappedOrder {
  const { settings } = context;
  const state = order.state ?? "";
  if ((settings.skip_states as string[]).includes(state)) return { skippedState: state };
  const buyer = buyerOf(order);
  if (!buyer) return { notices: encodeNotices({ reason: "order_without_customer" }) };
  const id = orderNumberOf(order, settings);
  if (!id) return { notices: encodeNotices({ reason: "order_without_number" }) };
  const lang = languageOf(context.locales.get(order.store_id ?? -1));
  const items = mapItems(order, context);
  const parsed = parse(OrderInput, {
    order: {
      id,
      ...optionalField("value", orderValueOf(order)),
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
  return { notices: encodeIssues(parsed.issues, "order") };
}

/** The order's id in Candor; undefined if the store assigned no number. */
export const orderNumberOf = (
  { entity_id, increment_id }: StoreOrder,
  { order_id }: Pick<CommerceSettings, "order_id">,
): string | undefined => (order_id === "entity_id" ? String(entity_id) : increment_id);

/** The buyer by the store's customer id, or a guest by email; null if neither is known. */
export function buyerOf(order: StoreOrder): { id: string; email: string | undefined } | null {
  const email = readEmail(order.customer_email) ?? readEmail(order.billing_address?.email);
  const id = order.customer_id ? String(order.customer_id) : email && emailKey(email);
  return id ? { id, email } : null;
}

/** In the base currency, which all orders of the platform have. Undefined for what our API doesn't accept. */
const orderValueOf = ({ base_grand_total }: StoreOrder): number | undefined => amount.safeParse(base_grand_total).data;

const optionalField = <K extends string>(key: K, value: string | number | undefined) =>
  value === undefined ? {} : { [key]: value };

/** Guests have a name only in the billing address. */
function nameOf({ customer_firstname, customer_lastname, billing_address }: StoreOrder): string | undefined {
  const fullName = (first?: string, last?: string) => [first, last].filter(Boolean).join(" ") || undefined;
  const name =
    fullName(customer_firstname, customer_lastname) ?? fullName(billing_address?.firstname, billing_address?.lastname);
  return name && truncate(name);
}

const truncate = (text: string): string => [...text].slice(0, 255).join("");

/** An email address that our API accepts; undefined for any other. */
function readEmail(email: string | undefined): string | undefined {
  return email && /^[^\s@<>",;]+@[^\s@<>",;]+$/.test(email) && Buffer.byteLength(emailKey(email)) <= 320
    ? email
    : undefined;
}

/** `Main Website\nMain Website Store\nDefault Store View`: website, group and view, some of which may be equal. */
const storeName = (text: string): string =>
  [...new Set(text.split("\n").map((line) => line.trim()))].filter(Boolean).join(" / ");

const languageOf = (locale: string | undefined): string | undefined => /^[a-z]{2,3}(?=_|$)/.exec(locale ?? "")?.[0];

/** The row whose product is reviewed, and the row with the ordered and shipped quantities. */
type Line = { reviewedItem: StoreItem; quantityItem: StoreItem };

/** Delivery date of an item, and its basis if the store doesn't report a shipment. Null if not known yet. */
type Delivery = { day: string | null; by?: "guess" | "setting" | "unknown" };

/** An item as it is posted, with its delivery. */
type MappedItem = { item: Partial<ItemInput> & { id: string }; delivery: Delivery };

function mapItems(order: StoreOrder, context: OrderContext): MappedItem[] {
  const { settings, skus, unknownSkus } = context;
  const isCanceled = order.state === "canceled";
  // Without refunds, a closed order is complete: nothing of it can be refunded, such as if it was free.
  const isRefunded = order.state === "closed" && (order.base_total_refunded ?? 0) > 0;
  const shipments = context.shipments === "unknown" ? null : context.shipments;
  const sent = lastShipments(order, shipments ?? []);
  const bySku = new Map<string, MappedItem & { open: number; returned: boolean | null }>();
  for (const line of reviewableLines(order, settings)) {
    const { reviewedItem, quantityItem } = line;
    const isSameRow = reviewedItem === quantityItem;
    const product = reviewedItem.product_id === undefined ? undefined : skus.get(reviewedItem.product_id);
    // A configurable's row has the selected variant's SKU, a bundle's row a generated one. If the lookup of the
    // bundle's own SKU failed, the row is left to the next run.
    if (isSameRow && reviewedItem.product_type === "bundle" && unknownSkus.has(reviewedItem.product_id ?? -1)) continue;
    const sku = isSameRow && reviewedItem.product_type === "bundle" ? (product ?? reviewedItem.sku) : reviewedItem.sku;
    if (sku === undefined || isExcluded(sku, reviewedItem, settings)) continue;
    const { qty_ordered = 1, qty_canceled = 0, qty_refunded = 0 } = quantityItem;
    const returned = wasReturned(line, shipments && sent);
    const bought = isCanceled ? 0 : Math.max(0, qty_ordered - qty_canceled);
    const kept = isRefunded && qty_refunded <= 0 ? 0 : Math.max(0, bought - qty_refunded);
    const open = settings.invite_returned && returned !== false ? bought : kept;
    // Canceled: no day of delivery is assumed.
    const isCanceledRow = isUnshipped(line) ? bought <= 0 : open <= 0 && !quantityItem.qty_shipped;
    // Refunded, and it isn't known whether it was shipped: without a day, it isn't invited for, nor excluded for good.
    const delivery: Delivery =
      returned === null && kept <= 0
        ? { day: null, by: "unknown" }
        : deliveryOf(order, line, sent, isCanceledRow, context);
    const known = bySku.get(sku);
    if (known) {
      // One SKU in several rows, such as with different engravings: sum the quantities and use the last date.
      known.open += open;
      if (returned || known.returned === false) known.returned = returned;
      const isLater = (delivery.day ?? "") > (known.delivery.day ?? "");
      if (known.delivery.by !== "unknown" && (isLater || delivery.by === "unknown")) known.delivery = delivery;
      continue;
    }
    const family = isSameRow && reviewedItem.product_type === "configurable" ? product : undefined;
    bySku.set(sku, {
      open,
      returned,
      delivery,
      item: {
        id: sku,
        ...(reviewedItem.name && { name: [...reviewedItem.name].slice(0, 1_000).join("") }),
        ...(family && { family_id: family }),
      },
    });
  }
  const mapped = [...bySku.values()];
  // A refund may have no quantities. An order of which a return isn't known never counts as kept.
  const isKeptUnknown = isRefunded || mapped.some(({ returned }) => returned === null);
  // Never set reviewable to true: items deactivated by a person, a return or another system must stay so.
  return mapped.map(({ item, delivery, open, returned }) => ({
    item: {
      ...item,
      returned: isKeptUnknown ? returned || null : returned,
      ...(delivery.by !== "unknown" && { delivery_date: delivery.day }),
      ...(open <= 0 && { reviewable: false }),
    },
    delivery,
  }));
}

/**
 * Rows without a parent were bought. A configurable's child repeats its row, with quantities that aren't maintained.
 * Bundle children are reviewed instead of the bundle if configured. A child without its parent counts as its own row.
 */
function reviewableLines(order: StoreOrder, settings: CommerceSettings): Line[] {
  const byId = new Map(order.items.map((item) => [item.item_id, item]));
  const parentOf = (item: StoreItem) => (item.parent_item_id === undefined ? undefined : byId.get(item.parent_item_id));
  return order.items.flatMap((item): Line[] => {
    const parent = parentOf(item);
    const isSplitBundle = (row: StoreItem) => row.product_type === "bundle" && settings.bundles === "children";
    if (parent) return isSplitBundle(parent) ? [{ reviewedItem: item, quantityItem: parent }] : [];
    const hasChildren = order.items.some((other) => parentOf(other) === item);
    return isSplitBundle(item) && hasChildren ? [] : [{ reviewedItem: item, quantityItem: item }];
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

/** Matches a pattern with `*` as wildcard. Each part matches at its first occurrence, so matching is linear. */
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

/** Last shipment by row. Shipments refer to a configurable's parent, and to a bundle or its children. */
function lastShipments(order: StoreOrder, shipments: Shipment[]): Map<number, Date> {
  const parents = new Map(order.items.map(({ item_id, parent_item_id }) => [item_id, parent_item_id]));
  const last = new Map<number, Date>();
  const recordShipment = (id: number | undefined, moment: Date) => {
    if (id !== undefined && moment.getTime() > (last.get(id)?.getTime() ?? -1)) last.set(id, moment);
  };
  for (const { order_id, created_at, items } of shipments) {
    if (order_id !== order.entity_id || !created_at) continue;
    for (const { order_item_id } of items) {
      recordShipment(order_item_id, created_at);
      recordShipment(parents.get(order_item_id), created_at);
    }
  }
  return last;
}

const isUnshipped = ({ reviewedItem, quantityItem }: Line): boolean =>
  [reviewedItem, quantityItem].some(({ product_type }) => UNSHIPPED_TYPES.has(product_type ?? ""));

/**
 * Whether more was refunded than was never shipped, or anything of a type without shipment. A bundle whose products are
 * shipped separately has no shipped quantity: its first shipment counts. Null if that can't be read (`sent` is null), since
 * the quantities of its products aren't reliable.
 */
function wasReturned(line: Line, sent: Map<number, Date> | null): boolean | null {
  const { reviewedItem, quantityItem } = line;
  const { qty_ordered = 1, qty_canceled = 0, qty_refunded = 0, qty_shipped = 0, product_type } = quantityItem;
  if (isUnshipped(line)) return qty_refunded > 0;
  if (qty_shipped > 0) return qty_refunded > Math.max(0, qty_ordered - qty_canceled - qty_shipped);
  if (qty_refunded <= 0) return false;
  if (!sent) return product_type === "bundle" ? null : false;
  return [reviewedItem, quantityItem].some(({ item_id }) => sent.has(item_id ?? -1));
}

function deliveryOf(
  order: StoreOrder,
  line: Line,
  sent: Map<number, Date>,
  isCanceled: boolean,
  { settings, timeZone, shipments }: OrderContext,
): Delivery {
  const { reviewedItem, quantityItem } = line;
  const after = (moment: Date | undefined, days: number) =>
    moment ? dayIn(timeZone, new Date(moment.getTime() + days * 86_400_000)) : null;
  const shipped = sent.get(reviewedItem.item_id ?? -1) ?? sent.get(quantityItem.item_id ?? -1);
  if (shipped) return { day: after(shipped, settings.transit_days) };
  if (!isUnshipped(line) && shipments === "unknown") return { day: null, by: "unknown" };
  if (isCanceled) return { day: null };
  if (isUnshipped(line)) return { day: after(order.created_at, 0) };
  if (settings.fallback_days !== null) return { day: after(order.created_at, settings.fallback_days), by: "setting" };
  // Shipped according to its quantities, but without access to shipments: at the latest at the order's last change.
  const wasSent = (quantityItem.qty_shipped ?? 0) > 0 || order.state === "complete" || order.state === "closed";
  return wasSent ? { day: after(order.updated_at, settings.transit_days), by: "guess" } : { day: null };
}
