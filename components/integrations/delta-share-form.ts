import { deltaShareParts } from "@/components/integrations/delta-share-labels";
import type { IntegrationForm } from "@/components/integrations/forms";
import type { MessageKey } from "@/lib/platform/i18n/translator";

/** The settings form of a data share. */
export const deltaShareForm: IntegrationForm<MessageKey> = {
  text: "integrationForms.deltaShareIntro",
  consequence: "integrationForms.deltaShareConsequence",
  groups: [
    {
      title: "integrationForms.shareTitle",
      text: "integrationForms.shareText",
      credentials: true,
      fields: [],
    },
    {
      title: "integrationForms.mappingTitle",
      text: "integrationForms.mappingText",
      mapping: deltaShareParts,
      fields: [
        {
          name: "schema",
          kind: "text",
          label: "integrationForms.schema",
          hint: "integrationForms.schemaHint",
          blank: null,
        },
        { name: "tables", kind: "mapping", label: "integrations.tables", hint: "integrationForms.tablesHint" },
        { name: "columns", kind: "mapping", label: "integrationForms.columns", hint: "integrationForms.columnsHint" },
      ],
    },
    {
      title: "integrationForms.purchasesTitle",
      text: "integrationForms.purchasesText",
      fields: [
        {
          name: "stores",
          kind: "lines",
          label: "integrationForms.storeLocations",
          hint: "integrationForms.shareStoresHint",
        },
        {
          name: "since",
          kind: "day",
          label: "integrationForms.receiptsSince",
          hint: "integrationForms.receiptsSinceHint",
          blank: null,
        },
        {
          name: "use_opt_out",
          kind: "switch",
          label: "integrationForms.subscribersOnly",
          on: "integrationForms.subscribersOnlyOn",
          off: "integrationForms.subscribersOnlyOff",
        },
        {
          name: "invite_returned",
          kind: "switch",
          label: "integrationForms.inviteReturned",
          on: "integrationForms.inviteReturnedOn",
          off: "integrationForms.inviteReturnedOff",
        },
      ],
    },
    {
      title: "integrationForms.deliveryTitle",
      text: "integrationForms.shareDeliveryText",
      fields: [
        {
          name: "online_days",
          kind: "number",
          label: "integrationForms.onlineDays",
          hint: "integrationForms.onlineDaysHint",
          unit: "common.days",
        },
        {
          name: "store_days",
          kind: "number",
          label: "integrationForms.storeDays",
          hint: "integrationForms.storeDaysHint",
          unit: "common.days",
        },
      ],
    },
    {
      title: "integrationForms.advancedTitle",
      collapsed: true,
      fields: [
        {
          name: "customer_id",
          kind: "choice",
          label: "integrationForms.customerNumber",
          hint: "integrationForms.customerNumberHint",
          options: [
            { value: "contact_id", label: "integrationForms.contactIdOption", hint: "integrationForms.contactIdHint" },
            { value: "member_number", label: "integrationForms.memberNumberOption" },
            { value: "external_id", label: "integrationForms.externalIdOption" },
          ],
        },
        {
          name: "order_id",
          kind: "choice",
          label: "common.orderNumber",
          hint: "integrationForms.receiptIdHint",
          options: [
            { value: "receipt_id", label: "integrationForms.receiptIdOption", hint: "integrationForms.alwaysUnique" },
            {
              value: "receipt_number",
              label: "integrationForms.receiptNumberOption",
              hint: "integrationForms.shownToCustomers",
            },
          ],
        },
        {
          name: "catalogue",
          kind: "switch",
          label: "integrationForms.importArticles",
          on: "integrationForms.importArticlesOn",
          off: "integrationForms.importArticlesOff",
        },
      ],
    },
  ],
  credentials: {
    profile: {
      label: "integrations.profile",
      hint: "integrationForms.profileHint",
      multiline: true,
    },
  },
};
