import { z } from "zod";
import { headerText, integrationKind, partnerAddress } from "@/lib/integrations/kind";
import { filledText } from "@/lib/platform/http/fields";
import { because } from "@/lib/platform/issue";

/** What is set of the engagement platform. Browser-safe. */

export const sendMoments = ["submission", "acceptance"] as const;
export const contactKeys = ["customer_key", "email"] as const;

export const engagementKind = integrationKind({
  name: "Engagement platform",
  settings: z.object({
    base_url: partnerAddress.describe("The tenant, such as https://shop.voyado.com."),
    schema_id: z
      .string()
      .regex(/^[\w-]{1,100}$/, { error: because("invalid_schema_id") })
      .default("completedProductRating")
      .describe("The interaction schema that reviews are posted under."),
    send_on: z
      .enum(sendMoments)
      .default("submission")
      .describe("When a review is told: as soon as it is submitted, or once it is accepted."),
    contact_lookup: z
      .array(z.enum(contactKeys))
      .min(1)
      .max(2)
      .refine((keys) => new Set(keys).size === keys.length, {
        error: because("duplicate_key"),
      })
      .default(["customer_key", "email"])
      .describe("By what a contact is looked for, in this order."),
    contact_type: filledText(100)
      .nullable()
      .default(null)
      .describe("Only contacts of this type, where the tenant has several."),
  }),
  secrets: z.object({
    api_key: headerText(500).describe("A key made in the tenant, for Interactions and Contacts."),
  }),
  addressOf: ({ base_url }) => base_url,
});
