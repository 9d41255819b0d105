import { share } from "@/components/integrations/share-form";
import type { ShareParts } from "@/components/integrations/share-words";
import type { Integration } from "@/lib/integrations/schema";
import type { Words } from "@/lib/platform/i18n/rules";

// What is asked of whoever connects a system, in plain words: what a setting is, and what follows from it. What holds of
// the values stands with the systems themselves; a kind without a form here is connected by the operator's command.

type Option = { value: string; label: string; hint?: string };

export type FieldDef = { name: string; label: string; hint?: string } & (
  | { kind: "url"; placeholder: string }
  /** `blank`: what an empty one means, where it may be empty */
  | { kind: "text"; placeholder?: string; blank?: null }
  | { kind: "day"; blank: null }
  /** `none`: what stands there while it is empty, in words */
  | { kind: "number"; unit: string; blank?: null; none?: string }
  | { kind: "choice"; options: Option[] }
  /** a choice of lists, each told with commas */
  | { kind: "sequence"; options: Option[] }
  | { kind: "several"; options: Option[] }
  | { kind: "switch"; on: string; off: string }
  | { kind: "lines"; placeholder?: string }
  /** a part of the mapping that the group shows */
  | { kind: "mapping" }
);

export type FormGroup = {
  title: string;
  text?: string;
  fields: FieldDef[];
  /** the credentials that the settings need are asked for after these fields */
  credentials?: true;
  /** the tables and columns of a data share, with what is in them, after these fields */
  mapping?: ShareParts;
  /** what most leave as it is: folded away */
  rarely?: true;
};

export type IntegrationForm = {
  /** what it is for, in a sentence or two */
  text: string;
  /** what happens once it is connected */
  consequence: string;
  groups: FormGroup[];
  /** `multiline`: a text of several lines, such as a file */
  credentials: Record<string, { label: string; hint?: string; multiline?: true }>;
};

const commerce: IntegrationForm = {
  text: "Takes orders from your shop on Magento 2 or Adobe Commerce, so that customers are asked for reviews once they have their goods. Nothing is changed in the shop.",
  consequence:
    "Once connected, orders are taken every quarter of an hour. The first time all of them are read, which may take a while.",
  groups: [
    {
      title: "The shop",
      credentials: true,
      fields: [
        {
          name: "orders_url",
          kind: "url",
          label: "Address of the order list",
          hint: "The whole address, filters included if you have some: they hold for everything that is read.",
          placeholder: "https://shop.example/rest/default/V1/orders",
        },
        {
          name: "auth",
          kind: "choice",
          label: "How it signs in",
          hint: "All three are made in the shop's admin, under System.",
          options: [
            {
              value: "oauth1",
              label: "Integration with four keys (OAuth 1.0a)",
              hint: "Works on every shop as it is delivered, and does not end. The best choice.",
            },
            {
              value: "bearer",
              label: "Access token of an integration",
              hint: "Since version 2.4.4 the shop has to allow it: Configuration, Services, OAuth, “Allow OAuth Access Tokens to be used as standalone Bearer tokens”.",
            },
            {
              value: "password",
              label: "User name and password",
              hint: "Not with a second factor, which is on as delivered. A refused log-in is not repeated, since the shop locks users.",
            },
          ],
        },
      ],
    },
    {
      title: "Which orders",
      text: "What is left out here is never asked about. Changing the address, the stores, the day or the order number has everything read again.",
      fields: [
        {
          name: "store_ids",
          kind: "lines",
          label: "Store views",
          hint: "Ids, one a line. Empty: the orders of all stores. With several shops here, give each its own stores.",
          placeholder: "1",
        },
        {
          name: "since",
          kind: "day",
          label: "Orders since",
          hint: "Orders that were changed before this day are left out. Empty: all of them.",
          blank: null,
        },
        {
          name: "skip_states",
          kind: "several",
          label: "Order states to wait for",
          hint: "Orders in these states are taken when they have left them, so that nobody is asked about what was not paid.",
          options: [
            { value: "new", label: "New§order" },
            { value: "pending_payment", label: "Payment pending" },
            { value: "payment_review", label: "Payment under review" },
            { value: "processing", label: "Processing" },
            { value: "holded", label: "On hold" },
          ],
        },
        {
          name: "exclude_types",
          kind: "lines",
          label: "Product types left out",
          hint: "One a line, such as virtual or giftcard. Such items are never asked about.",
          placeholder: "giftcard",
        },
        {
          name: "exclude_skus",
          kind: "lines",
          label: "SKUs left out",
          hint: "One a line. A star stands for anything: shipping-* leaves out all that begin so.",
          placeholder: "shipping-*",
        },
      ],
    },
    {
      title: "When goods have arrived",
      text: "Customers are asked some days after the delivery. The shop knows when goods were sent, not when they arrived.",
      fields: [
        {
          name: "transit_days",
          kind: "number",
          label: "Days on the way",
          hint: "From a shipment to its delivery. Too few, and customers are asked about goods they do not have yet.",
          unit: "days",
        },
        {
          name: "fallback_days",
          kind: "number",
          label: "Without a shipment",
          hint: "An item without one counts as delivered so many days after the order. Empty: it waits for its shipment.",
          unit: "days after the order",
          blank: null,
          none: "waits",
        },
      ],
    },
    {
      title: "Products",
      fields: [
        {
          name: "bundles",
          kind: "choice",
          label: "Bundles",
          hint: "What customers are asked about.",
          options: [
            { value: "parent", label: "The bundle as a whole" },
            { value: "children", label: "Each thing in it" },
          ],
        },
        {
          name: "catalogue",
          kind: "switch",
          label: "Import the catalogue, too",
          on: "Once a day, in place of a product feed. Products that the shop does not have any more become deleted; their reviews stay.",
          off: "Products come from your product feed. Without a feed, switch this on: items that are in no catalogue are not asked about.",
        },
        {
          name: "url_suffix",
          kind: "text",
          label: "End of product addresses",
          hint: "For the catalogue. Look at the address of a product's page in the shop: usually it ends in .html.",
          placeholder: ".html",
        },
        {
          name: "brand_attributes",
          kind: "lines",
          label: "Attributes of the brand",
          hint: "For the catalogue: codes of product attributes, one a line. The first that says something counts.",
        },
        {
          name: "gtin_attributes",
          kind: "lines",
          label: "Attributes of the GTIN",
          hint: "Codes as well; the first that says something counts.",
        },
        {
          name: "mpn_attributes",
          kind: "lines",
          label: "Attributes of the maker's number",
          hint: "Codes as well; the first that says something counts.",
        },
      ],
    },
    {
      title: "Rarely changed",
      rarely: true,
      fields: [
        {
          name: "order_id",
          kind: "choice",
          label: "Order number",
          hint: "By which an order is known here.",
          options: [
            { value: "increment_id", label: "The number that customers know" },
            {
              value: "entity_id",
              label: "The shop's inner number",
              hint: "It never repeats: for shops of which two stores use the same order numbers.",
            },
          ],
        },
        {
          name: "requests_per_second",
          kind: "number",
          label: "Pace",
          hint: "The shop is asked no more often than this. Fewer spare a weak server, more take a long history sooner.",
          unit: "requests a second",
        },
        {
          name: "page_size",
          kind: "number",
          label: "Orders a page",
          hint: "Made smaller by itself where the shop allows fewer.",
          unit: "orders",
        },
      ],
    },
  ],
  credentials: {
    username: { label: "User name", hint: "A user of the shop's admin whose role may read orders." },
    password: { label: "Password" },
    token: { label: "Access token" },
    consumer_key: { label: "Consumer key" },
    consumer_secret: { label: "Consumer secret" },
    access_token: { label: "Access token" },
    token_secret: { label: "Access token secret" },
  },
};

const engagement: IntegrationForm = {
  text: "Tells your tenant of Voyado Engage of reviews: each as an interaction on the contact card, and the contact's latest and average rating as attributes for segments.",
  consequence:
    "Once connected, reviews that are written from then on are sent within seconds. Earlier ones are not sent, and nobody is made a contact.",
  groups: [
    {
      title: "The tenant",
      credentials: true,
      fields: [
        {
          name: "base_url",
          kind: "url",
          label: "Address of the tenant",
          hint: "For trials take the staging tenant: what is sent may start automations there.",
          placeholder: "https://shop.voyado.com",
        },
      ],
    },
    {
      title: "What is sent",
      fields: [
        {
          name: "send_on",
          kind: "choice",
          label: "When a review is sent",
          hint: "Each review is sent once; what is changed or decided later does not send it again.",
          options: [
            {
              value: "submission",
              label: "As soon as it is written",
              hint: "Also those that are rejected later. Good where automations should react to every opinion.",
            },
            {
              value: "acceptance",
              label: "Once it is accepted",
              hint: "What was rejected never reaches the contact card, and does not count in the average.",
            },
          ],
        },
        {
          name: "contact_lookup",
          kind: "sequence",
          label: "How the contact is found",
          hint: "Only buyers and confirmed addresses count, so nobody reaches the contact card of somebody else.",
          options: [
            { value: "customer_key,email", label: "By the customer's number, then by e-mail address" },
            { value: "email,customer_key", label: "By e-mail address, then by the customer's number" },
            { value: "email", label: "By e-mail address only" },
            { value: "customer_key", label: "By the customer's number only" },
          ],
        },
      ],
    },
    {
      title: "Rarely changed",
      rarely: true,
      fields: [
        {
          name: "contact_type",
          kind: "text",
          label: "Contact type",
          hint: "Only contacts of this type, where the tenant has several. Empty: of any type.",
          placeholder: "Member",
          blank: null,
        },
        {
          name: "schema_id",
          kind: "text",
          label: "Interaction schema",
          hint: "It is made with the first review. Choose another id where the tenant has one of this id that is somebody else's; it is left alone.",
        },
      ],
    },
  ],
  credentials: {
    api_key: {
      label: "API key",
      hint: "Made in the tenant under API connections, with the permissions Interactions and Contacts.",
    },
  },
};

const said = new Set(["text", "consequence", "title", "label", "hint", "unit", "none", "on", "off", "columns"]);

function inWords(held: unknown, t: Words, isSaid: boolean): unknown {
  if (typeof held === "string") return isSaid ? t(held) : held;
  if (Array.isArray(held)) return held.map((each) => inWords(each, t, false));
  if (typeof held !== "object" || held === null) return held;
  return Object.fromEntries(
    Object.entries(held).map(([name, value]) => [
      name,
      inWords(value, t, said.has(name) || (isSaid && typeof value === "string")),
    ]),
  );
}

/** A form in the reader's language. It is said on the server, so that no script holds its words. */
export const formIn = (form: IntegrationForm, t: Words): IntegrationForm => inWords(form, t, false) as IntegrationForm;

/** What is chosen where nothing is usual: the first of what there is. */
export const firstChoices = ({ groups }: IntegrationForm): Record<string, unknown> =>
  Object.fromEntries(
    groups
      .flatMap(({ fields }) => fields)
      .flatMap((field) => (field.kind === "choice" ? [[field.name, field.options[0]?.value]] : [])),
  );

/** Which kinds can be connected by hand, in the order of their cards. */
export const forms: Partial<Record<Integration["kind"], IntegrationForm>> = { commerce, engagement, share };

export const formKinds = Object.keys(forms) as Integration["kind"][];
