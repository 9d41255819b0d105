import { z } from "zod";
import { integrationKind } from "@/lib/integrations/kind";
import { day, filledText } from "@/lib/platform/http/fields";
import { encodeReason } from "@/lib/platform/issue";
import { profileIssue, readProfile } from "./profile";
import { type PartName, partNames, parts } from "./share-tables";

/** Settings and profile of a data share. Browser-safe. */

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
      error: encodeReason("unknown_names", { names: Object.keys(parts[part].fields).join(", ") }),
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
    description: "Schema of the tables, such as engage_data or share.schema; empty to find it automatically.",
  }),
  tables: tables.prefault({}).meta({
    title: "Tables",
    description: "Name of each table; empty to match by name, such as contactslatest.",
  }),
  columns: columns.prefault({}).meta({
    title: "Columns",
    description: "Column names by table. Columns that are left out are matched by name. See the preview.",
  }),
  customer_id: z.enum(["contact_id", "member_number", "external_id"]).default("contact_id").meta({
    title: "Customer number",
    description: "Field of a contact to use as customer id. Use the one that your other sources of orders use.",
  }),
  order_id: z.enum(["receipt_id", "receipt_number"]).default("receipt_id").meta({
    title: "Order number",
    description: "`receipt_number` is what customers see. `receipt_id` is unique.",
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
      description: "Ids, external ids or names of the stores to import receipts from; empty for all.",
    }),
  since: day.nullable().default(null).meta({
    title: "Import receipts since",
    description: "Earlier receipts are skipped; null for none.",
  }),
  store_days: days.default(0).meta({
    title: "Delivery days for store purchases",
    description: "Days from purchase to delivery.",
  }),
  online_days: days.default(5).meta({
    title: "Delivery days for online purchases",
    description: "Days from purchase to delivery for stores of type ECOMM or of unknown type.",
  }),
  use_opt_out: flag.default(false).meta({
    title: "Require email consent",
    description: "Contacts who don't accept emails from the store get no invitations.",
  }),
  invite_returned: flag.default(false).meta({
    title: "Invite for returned items",
    description:
      "Whether completely returned items stay reviewable. If not, customers who return something are invited less often, which the public page shows after some time.",
  }),
  catalogue: flag.default(false).meta({
    title: "Import articles",
    description: "Instead of a product feed. Articles have no URL and no image, so prefer a feed if you have one.",
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
      .describe("Profile file from the activation link, as JSON."),
  }),
  // The profile contains both the address and the credentials, so a stored one never goes to another server.
  addressOf: (_, { profile }) => (typeof profile === "string" ? readProfile(profile).endpoint : null),
  addressField: "secrets.profile",
});
