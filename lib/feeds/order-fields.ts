import { parseDay } from "@/lib/feeds/read-day";
import { OrderInput } from "@/lib/orders/schema";
import { amount, emailAddress, webAddress } from "@/lib/platform/http/fields";
import { collectProperties, normalizeValue, type ValueKind } from "@/lib/platform/parsing/normalize-value";
import type { RawRow } from "@/lib/platform/parsing/raw-row";
import type { FeedReport } from "@/lib/platform/parsing/report";
import { emailKey } from "@/lib/platform/secrets/person-hash";

/**
 * Feed names of each field, without underscores; the first one that a row fills counts. If items are nested in the
 * order, `id` is the order's and each item's own, `value` and `total` the order's; if a row is one item, they are the item's.
 */
const ORDER = {
  order_id: ["orderid", "ordernumber", "orderno", "id"],
  store_name: ["storename", "store"],
  value: ["ordervalue", "ordertotal", "grandtotal", "value", "total"],
  customer_id: ["customerid", ".customer.id"],
  customer_name: ["customername", ".customer.name"],
  customer_email: ["customeremail", "email", ".customer.email"],
  customer_phone: ["customerphone", "phone", ".customer.phone"],
  customer_lang: ["customerlang", "customerlanguage", "lang", "language", ".customer.lang"],
  opt_out: ["optout", "customeroptout", ".customer.optout"],
};
const ITEM = {
  id: ["sku", "itemid", "productid", "id"],
  family_id: ["familyid", "parentsku", "itemgroupid"],
  delivery_date: ["deliverydate", "delivered", "deliveredat"],
  name: ["name", "productname", "title"],
  manufacturer: ["manufacturer", "brand"],
  category: ["category", "producttype"],
  url: ["url", "link", "producturl"],
  image_url: ["imageurl", "imagelink"],
  reviewable: ["reviewable"],
  returned: ["returned", "isreturned"],
};
/** Item fields of our API responses that a feed can't set. */
const DERIVED = new Set(["deleted", "createdat", "updatedat"]);
type OrderField = keyof typeof ORDER;
type ItemField = keyof typeof ITEM;

const KINDS: Partial<Record<OrderField | ItemField, ValueKind>> = {
  order_id: "id",
  customer_id: "id",
  customer_email: "id",
  id: "id",
  family_id: "id",
  url: "url",
  image_url: "url",
};

const normalizeKey = (key: string): string => key.replaceAll("_", "");
const knownKeys = new Set([...Object.values(ORDER), ...Object.values(ITEM)].flat());

/** True if this column is a known order or item field. */
export const isOrderField = (key: string): boolean => knownKeys.has(normalizeKey(key));

/** True if a file with these columns can be an order feed. */
export const isOrderHeader = (keys: string[]): boolean =>
  keys.some((key) => key !== "id" && ORDER.order_id.includes(normalizeKey(key)));

/** An order as a row has it. `flat`: the row is one item, and other rows may have more of the order. */
export type FeedOrder = { flat: boolean; order: OrderInput };

/**
 * Converts a row to an order. Corrections go to `report`, never with customer data. A customer without an id is
 * identified by email address. Invalid URLs, email addresses, values and returns are dropped. Returns the reason if the row has no
 * usable order: `<field>_missing` or `<field>_invalid`.
 */
export function toOrder(raw: Extract<RawRow, { fields: string[] }>, report: FeedReport): FeedOrder | string {
  const { row, fields, lines } = raw;
  const flat = lines === undefined || lines.length === 0;
  const head = new Fields(ORDER, fields, row, report, flat ? ["id", "value", "total"] : []);
  const order_id = head.get("order_id");
  if (order_id === undefined) return "order_id_missing";
  const email = usable(head.get("customer_email"), emailAddress, "customer_email", "not_an_address", row, report);
  const customer_id = head.get("customer_id") ?? (email && emailKey(email));
  if (customer_id === undefined) return "customer_id_missing";
  const optOut = readFlag(head.get("opt_out"));
  if (optOut === null) return "opt_out_invalid";

  const value = usable(head.get("value"), amount, "value", "not_an_amount", row, report);
  const items: object[] = [];
  for (const line of flat ? [head.unknownFields] : lines) {
    const item = toItem(line, row, report);
    if (item === "id_missing" && flat && !head.unknownFields.some((key, at) => at % 2 === 0 && isItemField(key)))
      continue;
    if (typeof item === "string") return item === "id_missing" ? "sku_missing" : item;
    items.push(item);
  }
  const customer = {
    id: customer_id,
    name: head.get("customer_name"),
    email,
    phone: head.get("customer_phone"),
    lang: head.get("customer_lang"),
    opt_out: optOut,
  };
  const checked = OrderInput.shape.order.safeParse({
    id: order_id,
    store_name: head.get("store_name"),
    ...(value !== undefined && { value }),
    customer: withoutUndefined(customer),
    items,
  });
  if (checked.success) return { flat, order: checked.data };
  const path = checked.error.issues[0]!.path.filter((part) => typeof part === "string");
  const field = path[0] === "items" && path.length > 1 ? path.slice(1) : path;
  return `${field.join("_") === "id" && path.length === 1 ? "order_id" : field.join("_")}_invalid`;
}

const isItemField = (key: string): boolean =>
  key !== "id" && Object.values(ITEM).some((names) => names.includes(normalizeKey(key)));

/** An item from flat fields; unknown fields become properties. */
function toItem(fields: string[], row: number, report: FeedReport): object | string {
  const line = new Fields(ITEM, fields, row, report);
  const id = line.get("id");
  if (id === undefined) return "id_missing";
  const date = line.get("delivery_date");
  const day = date === undefined ? undefined : parseDay(date, "9999-12-31");
  // An ambiguous date could send the email at the wrong time.
  if (day === null || day?.alternative) return "delivery_date_invalid";
  const reviewable = readFlag(line.get("reviewable"));
  if (reviewable === null) return "reviewable_invalid";
  const returned = readFlag(line.get("returned"));
  if (returned === null) report.warn(row, "returned", "not_a_flag");
  const properties: [string, string][] = [];
  for (let at = 0; at < line.unknownFields.length; at += 2) {
    if (DERIVED.has(normalizeKey(line.unknownFields[at]!))) continue;
    properties.push([
      line.unknownFields[at]!.replace(/^\./, ""),
      normalizeValue(line.unknownFields[at + 1]!, "property", row, report),
    ]);
  }
  const manufacturer = line.get("manufacturer");
  if (manufacturer !== undefined) properties.unshift(["manufacturer", manufacturer]);
  return withoutUndefined({
    id,
    family_id: line.get("family_id"),
    delivery_date: day?.day,
    name: line.get("name"),
    category: line.get("category"),
    url: usable(line.get("url"), webAddress, "url", "not_an_address", row, report),
    image_url: usable(line.get("image_url"), webAddress, "image_url", "not_an_address", row, report),
    reviewable,
    returned: returned ?? undefined,
    properties:
      collectProperties(
        properties.filter(([, value]) => value !== ""),
        row,
        report,
      ) ?? undefined,
  });
}

/** A row's fields by our names, and the unknown ones. */
class Fields<Name extends OrderField | ItemField> {
  readonly #values = new Map<string, string>();
  readonly #names: Record<Name, string[]>;
  /** Unknown fields as a flat list, unchanged. */
  readonly unknownFields: string[] = [];

  constructor(names: Record<Name, string[]>, fields: string[], row: number, report: FeedReport, except: string[] = []) {
    this.#names = names;
    const places = new Map<string, Name>();
    for (const name of Object.keys(names) as Name[]) for (const alias of names[name]) places.set(alias, name);
    for (let at = 0; at < fields.length; at += 2) {
      const key = normalizeKey(fields[at]!);
      const name = except.includes(key) ? undefined : places.get(key);
      if (name === undefined) {
        this.unknownFields.push(fields[at]!, fields[at + 1]!);
        continue;
      }
      const value = normalizeValue(fields[at + 1]!, KINDS[name] ?? "text", row, report);
      if (value !== "" && !this.#values.has(key)) this.#values.set(key, value);
    }
  }

  get(name: Name): string | undefined {
    const alias = this.#names[name].find((key) => this.#values.has(key));
    return alias === undefined ? undefined : this.#values.get(alias);
  }
}

/** The value, or undefined if it is invalid, which is no reason to lose an order. */
function usable(
  given: string | undefined,
  schema: typeof emailAddress | typeof webAddress | typeof amount,
  field: string,
  reason: "not_an_address" | "not_an_amount",
  row: number,
  report: FeedReport,
): string | undefined {
  if (given === undefined || schema.safeParse(given).success) return given;
  report.warn(row, field, reason);
  return undefined;
}

/** True or false; undefined if empty, null for any other word. */
function readFlag(given: string | undefined): boolean | undefined | null {
  if (given === undefined) return undefined;
  if (/^(1|true|yes|y)$/i.test(given)) return true;
  return /^(0|false|no|n)$/i.test(given) ? false : null;
}

const withoutUndefined = (values: object): object =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
