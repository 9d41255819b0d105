export type ShareParts = Record<string, { title: string; text: string; columns: Record<string, string> }>;

/** What the tables of a data share hold, and their columns, in plain words. */
export const shareParts: ShareParts = {
  receipts: {
    title: "Receipts",
    text: "Each becomes an order. Those without a contact are passed over.",
    columns: {
      id: "Receipt",
      contact: "Contact",
      store: "Store",
      number: "Receipt number",
      at: "Time of the purchase",
      imported_at: "Time of import",
      change: "Kind of change",
    },
  },
  items: {
    title: "Receipt items",
    text: "What was bought, and what was brought back.",
    columns: {
      id: "Receipt item",
      receipt: "Receipt",
      contact: "Contact",
      sku: "SKU",
      type: "Purchase or return",
      quantity: "Quantity",
      at: "Time of the purchase",
      imported_at: "Time of import",
      change: "Kind of change",
    },
  },
  contacts: {
    title: "Contacts",
    text: "The customers, with the address that invitations go to.",
    columns: {
      id: "Contact",
      email: "E-mail address",
      first_name: "First name",
      last_name: "Last name",
      member_number: "Member number",
      external_id: "External id",
      lang: "Language",
      accepts_email: "Accepts mails",
      imported_at: "Time of import",
      change: "Kind of change",
    },
  },
  stores: {
    title: "Stores",
    text: "Whether a purchase was made in a store or online. Without them all count as online.",
    columns: {
      id: "Store",
      external_id: "External id",
      name: "Name",
      type: "Kind of store",
      imported_at: "Time of import",
    },
  },
  articles: {
    title: "Articles",
    text: "Names and families of what was bought.",
    columns: {
      sku: "SKU",
      family: "Product family",
      name: "Name",
      category: "Category",
      brand: "Brand",
      gtin: "GTIN",
      url: "Address of its page",
      image_url: "Address of its picture",
      imported_at: "Time of import",
    },
  },
};
