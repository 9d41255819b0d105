import type { IntegrationForm } from "@/components/integrations/forms";
import { shareParts } from "@/components/integrations/share-words";

/** What is asked of whoever connects a data share. */
export const share: IntegrationForm = {
  text: "Takes purchases from your engagement platform, in stores and online, so that customers are asked for reviews once they have their goods. Nothing is changed there.",
  consequence:
    "Once connected, receipts are taken every quarter of an hour. The first time all of them are read, which may take a while.",
  groups: [
    {
      title: "The share",
      text: "The platform switches the share on and mails a link; behind it is a file, the profile.",
      credentials: true,
      fields: [],
    },
    {
      title: "Tables and columns",
      text: "What is not told here is found by its name. Changing anything has everything read again.",
      mapping: shareParts,
      fields: [
        {
          name: "schema",
          kind: "text",
          label: "Schema",
          hint: "Such as engage_data, or share.schema. Empty: the one that has the tables.",
          blank: null,
        },
        { name: "tables", kind: "mapping", label: "Tables", hint: "Which table holds what." },
        { name: "columns", kind: "mapping", label: "Columns", hint: "Which column holds what." },
      ],
    },
    {
      title: "Which purchases",
      text: "What is left out here is never asked about. Changing any of it has everything read again.",
      fields: [
        {
          name: "stores",
          kind: "lines",
          label: "Stores",
          hint: "Their ids, external ids or names, one a line. Empty: the receipts of all stores. With several shops here, give each its own stores.",
        },
        {
          name: "since",
          kind: "day",
          label: "Receipts since",
          hint: "Earlier ones are left out. Empty: all of them.",
          blank: null,
        },
        {
          name: "use_opt_out",
          kind: "switch",
          label: "Ask only who takes mails of the shop",
          on: "Contacts who do not accept mails are not asked for reviews either.",
          off: "Everybody who bought something is asked, unless they opt out here.",
        },
      ],
    },
    {
      title: "When goods have arrived",
      text: "Customers are asked some days after the delivery. The platform knows when goods were paid, not when they arrived.",
      fields: [
        {
          name: "online_days",
          kind: "number",
          label: "Bought online",
          hint: "From the purchase to the delivery, also where the kind of store is not told.",
          unit: "days",
        },
        {
          name: "store_days",
          kind: "number",
          label: "Bought in a store",
          hint: "Most take their goods along.",
          unit: "days",
        },
      ],
    },
    {
      title: "Rarely changed",
      rarely: true,
      fields: [
        {
          name: "customer_id",
          kind: "choice",
          label: "Customer number",
          hint: "It should be what other sources of orders call the same customer.",
          options: [
            { value: "contact_id", label: "The contact's id", hint: "Every contact has one." },
            { value: "member_number", label: "The member number" },
            { value: "external_id", label: "The external id" },
          ],
        },
        {
          name: "order_id",
          kind: "choice",
          label: "Order number",
          hint: "Two stores may use the same receipt number: then only the first of them is taken.",
          options: [
            { value: "receipt_id", label: "The receipt's id", hint: "It never repeats." },
            { value: "receipt_number", label: "The receipt number", hint: "What customers know." },
          ],
        },
        {
          name: "catalogue",
          kind: "switch",
          label: "Import the articles as products",
          on: "In place of a product feed. Products that are no articles become deleted.",
          off: "Articles only name what was bought. A product feed is better, since it has addresses and pictures.",
        },
      ],
    },
  ],
  credentials: {
    profile: {
      label: "Profile",
      hint: "All of the file, from its first bracket to its last.",
      multiline: true,
    },
  },
};
