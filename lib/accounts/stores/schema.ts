import { z } from "zod";
import { cursor, limit } from "@/lib/platform/http/fields";

/** A client in the management API: one store or site and its settings. */
export const Client = z
  .object({
    id: z.string().meta({ description: "Id of the store, used as `client_id` in other calls." }),
    locale: z.string().meta({ description: "Locale, such as `en_US`." }),
    display_name: z.string().meta({ description: "Name of the store." }),
    email_name: z.string().meta({ description: "From name of emails." }),
    account_name: z.string().meta({ description: "Account that the store belongs to." }),
    contact_email: z
      .string()
      .nullable()
      .meta({ description: "Email address for customers, used as Reply-To of emails." }),
    contact_url: z.string().nullable().meta({ description: "URL of the store's help page." }),
    send_emails_after_days: z.int().meta({ description: "Minimum days between delivery and invitation." }),
    send_emails_before_days: z.int().meta({ description: "Days after delivery when invitations stop." }),
    send_limit: z.int().meta({ description: "Maximum emails per day." }),
    quarantine_period: z
      .int()
      .nullable()
      .meta({ description: "Cooldown: minimum days between emails to one customer. Null means 21." }),
    min_review_words: z.int().nullable().meta({ description: "Minimum words of a review in forms." }),
    min_review_words_promoter: z
      .int()
      .nullable()
      .meta({ description: "Minimum words of a review by a verified buyer who gives 4 or 5 stars." }),
    collect_seller_reviews: z.boolean().meta({ description: "Whether invitations also ask for a seller review." }),
    collect_pros_cons: z.boolean().meta({ description: "Whether forms ask for pros and cons." }),
    collect_questions: z.boolean().meta({ description: "Whether visitors can ask questions." }),
    collect_recommended: z.boolean().meta({ description: "Whether forms ask if the author recommends the product." }),
    own_moderation: z.boolean().meta({ description: "Whether the store moderates its own reviews." }),
    auto_moderate: z.boolean().meta({ description: "Whether moderation rules decide what they are sure of." }),
    require_verification: z
      .boolean()
      .meta({ description: "Whether authors must confirm their email address with a link." }),
    must_agree_to_terms: z.boolean().meta({ description: "Whether verified buyers must accept the terms." }),
    must_agree_to_terms_web: z.boolean().meta({ description: "Whether other authors must accept the terms." }),
    external_review_locale: z
      .string()
      .meta({ description: "Comma-separated locales of external reviews to show; empty for all." }),
    external_review_countries: z
      .string()
      .nullable()
      .meta({ description: "Comma-separated countries of external reviews to show; empty for all." }),
    external_pro_reviews: z.boolean().meta({ description: "Whether external ratings by experts are shown." }),
    external_user_reviews: z
      .boolean()
      .meta({ description: "Whether external ratings by users of other sites are shown." }),
    expand_family: z.boolean().meta({ description: "Whether reviews are shown by product family." }),
    config: z.record(z.string(), z.unknown()).meta({ description: "Email templates and further settings." }),
  })
  .meta({ id: "Client" });
export type Client = z.infer<typeof Client>;

export const ClientFilter = z.object({ limit, after: cursor });
export type ClientFilter = z.output<typeof ClientFilter>;
