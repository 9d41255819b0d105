import { z } from "zod";
import { integrationKind } from "@/lib/integrations/kind";
import { day, filledText } from "@/lib/platform/http/fields";
import { because } from "@/lib/platform/issue";
import { type PartName, partNames, parts } from "./parts";
import { profileIssue, readProfile } from "./profile";

/** What a client sets of its data share, and the profile kept beside it. Browser-safe. */

const flag = z.preprocess((value) => (value === "true" ? true : value === "false" ? false : value), z.boolean());
const days = z.coerce.number().int().min(0).max(365);
const name = z.preprocess((value) => (value === "" ? null : value), filledText(255).nullable());

const tables = z.strictObject(
  Object.fromEntries(partNames.map((part) => [part, name.default(null)])) as Record<
    PartName,
    z.ZodDefault<typeof name>
  >,
);

const columnsOf = (part: PartName) =>
  z
    .record(z.string(), name)
    .default({})
    .refine((given) => Object.keys(given).every((field) => Object.hasOwn(parts[part].fields, field)), {
      error: because("unknown_names", { names: Object.keys(parts[part].fields).join(", ") }),
    });

const columns = z.strictObject(
  Object.fromEntries(partNames.map((part) => [part, columnsOf(part)])) as Record<
    PartName,
    ReturnType<typeof columnsOf>
  >,
);

export const ShareSettings = z.object({
  schema: name.default(null).meta({
    title: "Schema",
    description: "Such as engage_data, or share.schema; empty: the one that has the tables.",
  }),
  tables: tables.prefault({}).meta({
    title: "Tables",
    description: "Which table holds what; empty: the one whose name fits, such as contactslatest.",
  }),
  columns: columns.prefault({}).meta({
    title: "Columns",
    description: "Which column holds what, by table; those left out are found by their names. The preview shows which.",
  }),
  customer_id: z.enum(["contact_id", "member_number", "external_id"]).default("contact_id").meta({
    title: "Customer number",
    description: "What of a contact is the customer's id here; it should be the one that other sources of orders give.",
  }),
  order_id: z.enum(["receipt_id", "receipt_number"]).default("receipt_id").meta({
    title: "Order number",
    description: "`receipt_number` is what customers know; `receipt_id` never repeats.",
  }),
  stores: z
    .preprocess(
      (value) =>
        typeof value === "string"
          ? value
              .split(",")
              .map((part) => part.trim())
              .filter(Boolean)
          : value,
      z.array(filledText(255)).max(500),
    )
    .default([])
    .meta({
      title: "Stores",
      description: "Ids, external ids or names of the stores whose receipts belong to this client; empty: all.",
    }),
  since: day.nullable().default(null).meta({
    title: "Receipts since",
    description: "Earlier receipts are left out; null: none are.",
  }),
  store_days: days.default(0).meta({
    title: "Days after a purchase in a store",
    description: "When its items count as delivered.",
  }),
  online_days: days.default(5).meta({
    title: "Days after a purchase online",
    description: "When its items count as delivered: stores of the type ECOMM, and those whose type is not known.",
  }),
  use_opt_out: flag.default(false).meta({
    title: "No invitations without consent to mails",
    description: "Contacts who take no mails of the shop are not asked for reviews either.",
  }),
  catalogue: flag.default(false).meta({
    title: "Import the articles",
    description:
      "In place of a product feed. They have neither address nor picture, so a feed is better where there is one.",
  }),
});
export type ShareSettings = z.output<typeof ShareSettings>;

export const shareKind = integrationKind({
  name: "Data share of the engagement platform",
  settings: ShareSettings,
  secrets: z.object({
    profile: z
      .preprocess(
        (value) => (typeof value === "object" && value !== null ? JSON.stringify(value) : value),
        z.string().max(20_000),
      )
      .superRefine((text, context) => {
        const message = profileIssue(text);
        if (message) context.addIssue({ code: "custom", message });
      })
      .describe("The profile file that the activation link gives, as JSON."),
  }),
  // The profile is both: the address and what opens it. So a kept one never goes to another server.
  addressOf: (_, { profile }) => (typeof profile === "string" ? readProfile(profile).endpoint : null),
  addressField: "secrets.profile",
});
