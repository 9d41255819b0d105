import { z } from "zod";
import { headerText, integrationKind, partnerAddress } from "@/lib/integrations/kind";
import { filledText } from "@/lib/platform/http/fields";
import { encodeReason } from "@/lib/platform/issue";

/** Settings of the engagement platform. Browser-safe. */

export const sendMoments = ["submission", "acceptance"] as const;
export const contactKeys = ["customer_key", "email"] as const;

export const engagementKind = integrationKind({
  name: "Voyado Engage",
  settings: z.object({
    base_url: partnerAddress.describe("URL of the tenant, such as https://shop.voyado.com."),
    schema_id: z
      .string()
      .regex(/^[\w-]{1,100}$/, { error: encodeReason("invalid_schema_id") })
      .default("completedProductRating")
      .describe("Interaction schema for reviews."),
    send_on: z
      .enum(sendMoments)
      .default("submission")
      .describe("When a review is sent: on submission or on acceptance."),
    contact_lookup: z
      .array(z.enum(contactKeys))
      .min(1)
      .max(2)
      .refine((keys) => new Set(keys).size === keys.length, {
        error: encodeReason("duplicate_key"),
      })
      .default(["customer_key", "email"])
      .describe("Fields to find a contact by, in this order."),
    contact_type: filledText(100)
      .nullable()
      .default(null)
      .describe("Only contacts of this type, if the tenant has several."),
  }),
  secrets: z.object({
    api_key: headerText(500).describe("API key of the tenant, with access to Interactions and Contacts."),
  }),
  addressOf: ({ base_url }) => base_url,
});
