import { deltaShareForm } from "@/components/integrations/delta-share-form";
import type { DeltaShareParts } from "@/components/integrations/delta-share-labels";
import type { Integration } from "@/lib/integrations/schema";
import type { MessageKey, Translate } from "@/lib/platform/i18n/translator";

// The settings forms of integrations: each setting's label and effect. The validation is in each integration's own
// module. Kinds without a form here are connected with the admin command.

type Option<Text> = { value: string; label: Text; hint?: Text };

export type FieldDef<Text = string> = { name: string; label: Text; hint?: Text } & (
  | { kind: "url"; placeholder: string }
  /** `blank`: what an empty value means, if the field may be empty */
  | { kind: "text"; placeholder?: string; blank?: null }
  | { kind: "day"; blank: null }
  /** `none`: the text shown while it is empty */
  | { kind: "number"; unit: Text; blank?: null; none?: Text }
  | { kind: "choice"; options: Option<Text>[] }
  /** a choice among lists, written with commas */
  | { kind: "sequence"; options: Option<Text>[] }
  | { kind: "several"; options: Option<Text>[] }
  | { kind: "switch"; on: Text; off: Text }
  | { kind: "lines"; placeholder?: string }
  /** a part of the mapping, shown by the group */
  | { kind: "mapping" }
);

export type FormGroup<Text = string> = {
  title: Text;
  text?: Text;
  fields: FieldDef<Text>[];
  /** ask for the credentials that the settings need, after these fields */
  credentials?: true;
  /** show the tables and columns of a data share with their content, after these fields */
  mapping?: DeltaShareParts<Text>;
  /** settings that most people leave unchanged: collapsed */
  collapsed?: true;
};

/** A form with message keys, or translated for the reader. */
export type IntegrationForm<Text = string> = {
  /** its purpose, in a sentence or two */
  text: Text;
  /** what happens after connecting */
  consequence: Text;
  groups: FormGroup<Text>[];
  /** `multiline`: a text of several lines, such as a file */
  credentials: Record<string, { label: Text; hint?: Text; multiline?: true }>;
};

const commerce: IntegrationForm<MessageKey> = {
  text: "integrationForms.commerceIntro",
  consequence: "integrationForms.commerceConsequence",
  groups: [
    {
      title: "common.store",
      credentials: true,
      fields: [
        {
          name: "orders_url",
          kind: "url",
          label: "integrationForms.orderListUrl",
          hint: "integrationForms.orderListUrlHint",
          placeholder: "https://shop.example/rest/default/V1/orders",
        },
        {
          name: "auth",
          kind: "choice",
          label: "integrationForms.authentication",
          hint: "integrationForms.authenticationHint",
          options: [
            {
              value: "oauth1",
              label: "integrationForms.authOauth",
              hint: "integrationForms.authOauthHint",
            },
            {
              value: "bearer",
              label: "integrationForms.authToken",
              hint: "integrationForms.authTokenHint",
            },
            {
              value: "password",
              label: "integrationForms.authPassword",
              hint: "integrationForms.authPasswordHint",
            },
          ],
        },
      ],
    },
    {
      title: "integrationForms.ordersTitle",
      text: "integrationForms.ordersText",
      fields: [
        {
          name: "store_ids",
          kind: "lines",
          label: "integrationForms.storeViews",
          hint: "integrationForms.storeViewsHint",
          placeholder: "1",
        },
        {
          name: "since",
          kind: "day",
          label: "integrationForms.ordersSince",
          hint: "integrationForms.ordersSinceHint",
          blank: null,
        },
        {
          name: "skip_states",
          kind: "several",
          label: "integrationForms.heldStatuses",
          hint: "integrationForms.heldStatusesHint",
          options: [
            { value: "new", label: "integrationForms.statusNew" },
            { value: "pending_payment", label: "integrationForms.statusPendingPayment" },
            { value: "payment_review", label: "integrationForms.statusPaymentReview" },
            { value: "processing", label: "integrationForms.statusProcessing" },
            { value: "holded", label: "integrationForms.statusOnHold" },
          ],
        },
        {
          name: "exclude_types",
          kind: "lines",
          label: "integrationForms.excludedTypes",
          hint: "integrationForms.excludedTypesHint",
          placeholder: "giftcard",
        },
        {
          name: "exclude_skus",
          kind: "lines",
          label: "integrationForms.excludedSkus",
          hint: "integrationForms.excludedSkusHint",
          placeholder: "shipping-*",
        },
      ],
    },
    {
      title: "integrationForms.deliveryTitle",
      text: "integrationForms.deliveryText",
      fields: [
        {
          name: "transit_days",
          kind: "number",
          label: "integrationForms.transitDays",
          hint: "integrationForms.transitDaysHint",
          unit: "common.days",
        },
        {
          name: "fallback_days",
          kind: "number",
          label: "integrationForms.withoutShipment",
          hint: "integrationForms.withoutShipmentHint",
          unit: "integrationForms.daysAfterOrder",
          blank: null,
          none: "integrationForms.waitsPlaceholder",
        },
      ],
    },
    {
      title: "navigation.products",
      fields: [
        {
          name: "invite_returned",
          kind: "switch",
          label: "integrationForms.inviteReturned",
          on: "integrationForms.inviteReturnedOn",
          off: "integrationForms.inviteReturnedOff",
        },
        {
          name: "bundles",
          kind: "choice",
          label: "integrationForms.bundles",
          hint: "integrationForms.bundlesHint",
          options: [
            { value: "parent", label: "integrationForms.bundleWhole" },
            { value: "children", label: "integrationForms.bundleItems" },
          ],
        },
        {
          name: "catalogue",
          kind: "switch",
          label: "integrationForms.importCatalog",
          on: "integrationForms.importCatalogOn",
          off: "integrationForms.importCatalogOff",
        },
        {
          name: "url_suffix",
          kind: "text",
          label: "integrationForms.productUrlSuffix",
          hint: "integrationForms.productUrlSuffixHint",
          placeholder: ".html",
        },
        {
          name: "brand_attributes",
          kind: "lines",
          label: "integrationForms.brandAttributes",
          hint: "integrationForms.attributeCodesHint",
        },
        {
          name: "gtin_attributes",
          kind: "lines",
          label: "integrationForms.gtinAttributes",
          hint: "integrationForms.attributeCodesHint",
        },
        {
          name: "mpn_attributes",
          kind: "lines",
          label: "integrationForms.mpnAttributes",
          hint: "integrationForms.attributeCodesHint",
        },
      ],
    },
    {
      title: "integrationForms.advancedTitle",
      collapsed: true,
      fields: [
        {
          name: "order_id",
          kind: "choice",
          label: "common.orderNumber",
          hint: "integrationForms.orderNumberHint",
          options: [
            { value: "increment_id", label: "integrationForms.orderNumberPublic" },
            {
              value: "entity_id",
              label: "integrationForms.orderNumberInternal",
              hint: "integrationForms.orderNumberInternalHint",
            },
          ],
        },
        {
          name: "requests_per_second",
          kind: "number",
          label: "integrationForms.rateLimit",
          hint: "integrationForms.rateLimitHint",
          unit: "integrationForms.requestsPerSecond",
        },
        {
          name: "page_size",
          kind: "number",
          label: "integrationForms.ordersPerPage",
          hint: "integrationForms.ordersPerPageHint",
          unit: "integrationForms.ordersUnit",
        },
      ],
    },
  ],
  credentials: {
    username: { label: "common.username", hint: "integrationForms.usernameHint" },
    password: { label: "common.password" },
    token: { label: "integrationForms.accessToken" },
    consumer_key: { label: "integrationForms.consumerKey" },
    consumer_secret: { label: "integrationForms.consumerSecret" },
    access_token: { label: "integrationForms.accessToken" },
    token_secret: { label: "integrationForms.accessTokenSecret" },
  },
};

const engagement: IntegrationForm<MessageKey> = {
  text: "integrationForms.engagementIntro",
  consequence: "integrationForms.engagementConsequence",
  groups: [
    {
      title: "integrationForms.tenantTitle",
      credentials: true,
      fields: [
        {
          name: "base_url",
          kind: "url",
          label: "integrationForms.tenantUrl",
          hint: "integrationForms.tenantUrlHint",
          placeholder: "https://shop.voyado.com",
        },
      ],
    },
    {
      title: "integrationForms.reviewsTitle",
      fields: [
        {
          name: "send_on",
          kind: "choice",
          label: "integrationForms.sendWhen",
          hint: "integrationForms.sendWhenHint",
          options: [
            {
              value: "submission",
              label: "integrationForms.sendOnSubmit",
              hint: "integrationForms.sendOnSubmitHint",
            },
            {
              value: "acceptance",
              label: "integrationForms.sendOnPublish",
              hint: "integrationForms.sendOnPublishHint",
            },
          ],
        },
        {
          name: "contact_lookup",
          kind: "sequence",
          label: "integrationForms.contactMatching",
          hint: "integrationForms.contactMatchingHint",
          options: [
            { value: "customer_key,email", label: "integrationForms.matchNumberThenEmail" },
            { value: "email,customer_key", label: "integrationForms.matchEmailThenNumber" },
            { value: "email", label: "integrationForms.matchEmailOnly" },
            { value: "customer_key", label: "integrationForms.matchNumberOnly" },
          ],
        },
      ],
    },
    {
      title: "integrationForms.advancedTitle",
      collapsed: true,
      fields: [
        {
          name: "contact_type",
          kind: "text",
          label: "integrationForms.contactType",
          hint: "integrationForms.contactTypeHint",
          placeholder: "Member",
          blank: null,
        },
        {
          name: "schema_id",
          kind: "text",
          label: "integrations.interactionSchema",
          hint: "integrationForms.interactionSchemaHint",
        },
      ],
    },
  ],
  credentials: {
    api_key: {
      label: "integrationForms.apiKey",
      hint: "integrationForms.apiKeyHint",
    },
  },
};

const messageProperties = new Set([
  "text",
  "consequence",
  "title",
  "label",
  "hint",
  "unit",
  "none",
  "on",
  "off",
  "columns",
]);

function translateMessages(value: unknown, t: Translate, isMessage: boolean): unknown {
  if (typeof value === "string") return isMessage ? t(value as MessageKey) : value;
  if (Array.isArray(value)) return value.map((each) => translateMessages(each, t, false));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, value]) => [
      name,
      translateMessages(value, t, messageProperties.has(name) || (isMessage && typeof value === "string")),
    ]),
  );
}

/** Translates a form. Runs on the server, so that no script contains its texts. */
export const translateForm = (form: IntegrationForm<MessageKey>, t: Translate): IntegrationForm =>
  translateMessages(form, t, false) as IntegrationForm;

/** Selects the first option of choices without a default. */
export const defaultChoices = ({ groups }: IntegrationForm): Record<string, unknown> =>
  Object.fromEntries(
    groups
      .flatMap(({ fields }) => fields)
      .flatMap((field) => (field.kind === "choice" ? [[field.name, field.options[0]?.value]] : [])),
  );

/** The kinds that can be connected in the portal, in the order of their cards. */
export const forms: Partial<Record<Integration["kind"], IntegrationForm<MessageKey>>> = {
  commerce,
  engagement,
  share: deltaShareForm,
};

export const formKinds = Object.keys(forms) as Integration["kind"][];
