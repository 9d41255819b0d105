import type { MessageKey } from "@/lib/platform/i18n/translator";
export type DeltaShareParts<Text = string> = Record<string, { title: Text; text: Text; columns: Record<string, Text> }>;

/** Labels for the tables of a data share and their columns. */
export const deltaShareParts: DeltaShareParts<MessageKey> = {
  receipts: {
    title: "integrations.receipts",
    text: "integrationForms.receiptsText",
    columns: {
      id: "integrationForms.receipt",
      contact: "integrationForms.contact",
      store: "queue.storeLocation",
      number: "integrationForms.receiptNumber",
      at: "integrationForms.purchaseTime",
      imported_at: "integrationForms.importTime",
      change: "integrationForms.changeType",
    },
  },
  items: {
    title: "integrations.receiptItems",
    text: "integrationForms.receiptItemsText",
    columns: {
      id: "integrationForms.receiptItem",
      receipt: "integrationForms.receipt",
      contact: "integrationForms.contact",
      sku: "integrationForms.sku",
      type: "integrationForms.purchaseOrReturn",
      quantity: "integrationForms.quantity",
      at: "integrationForms.purchaseTime",
      imported_at: "integrationForms.importTime",
      change: "integrationForms.changeType",
    },
  },
  contacts: {
    title: "integrations.contacts",
    text: "integrationForms.contactsText",
    columns: {
      id: "integrationForms.contact",
      email: "common.emailAddress",
      first_name: "integrationForms.firstName",
      last_name: "integrationForms.lastName",
      member_number: "integrationForms.memberNumber",
      external_id: "integrationForms.externalId",
      lang: "common.language",
      accepts_email: "integrationForms.acceptsEmails",
      imported_at: "integrationForms.importTime",
      change: "integrationForms.changeType",
    },
  },
  stores: {
    title: "integrations.stores",
    text: "integrationForms.storesText",
    columns: {
      id: "queue.storeLocation",
      external_id: "integrationForms.externalId",
      name: "common.name",
      type: "integrationForms.storeType",
      imported_at: "integrationForms.importTime",
    },
  },
  articles: {
    title: "integrations.articles",
    text: "integrationForms.articlesText",
    columns: {
      sku: "integrationForms.sku",
      family: "integrationForms.productFamily",
      name: "common.name",
      category: "products.category",
      brand: "products.brand",
      gtin: "integrationForms.gtin",
      url: "integrationForms.productUrl",
      image_url: "integrationForms.imageUrl",
      imported_at: "integrationForms.importTime",
    },
  },
};
