import { z } from "zod";
import { cursor, limit } from "@/lib/platform/http/fields";

/** A client as the management API shows it: one store or site and its settings. */
export const Client = z
  .object({
    id: z.string().meta({ description: "What other calls name as `client_id`." }),
    locale: z.string().meta({ description: "Such as `en_US`." }),
    display_name: z.string().meta({ description: "The shop's name." }),
    email_name: z.string().meta({ description: "From name of mails." }),
    account_name: z.string().meta({ description: "The account the client belongs to." }),
    contact_email: z.string().nullable().meta({ description: "Where customers reach the shop; Reply-To of mails." }),
    contact_url: z.string().nullable().meta({ description: "The shop's help page." }),
    send_emails_after_days: z
      .int()
      .meta({ description: "Days from delivery until a customer is asked for a review, at least." }),
    send_emails_before_days: z.int().meta({ description: "Days from delivery after which nobody is asked any more." }),
    send_limit: z.int().meta({ description: "Mails a day, at most." }),
    quarantine_period: z
      .int()
      .nullable()
      .meta({ description: "Days in which a customer gets one mail only. Null means 21." }),
    min_review_words: z.int().nullable().meta({ description: "Words a review must have in forms." }),
    min_review_words_promoter: z
      .int()
      .nullable()
      .meta({ description: "The same for verified buyers who give 4 or 5." }),
    collect_seller_reviews: z.boolean().meta({ description: "Invitations ask about the shop too." }),
    collect_pros_cons: z.boolean().meta({ description: "Forms ask for pros and cons." }),
    collect_questions: z.boolean().meta({ description: "Visitors may ask questions." }),
    collect_recommended: z.boolean().meta({ description: "Forms ask whether the product is recommended." }),
    own_moderation: z.boolean().meta({ description: "The client decides about its reviews itself." }),
    auto_moderate: z.boolean().meta({ description: "Rules decide what they can." }),
    require_verification: z.boolean().meta({ description: "An author's address must be confirmed by a mailed link." }),
    must_agree_to_terms: z.boolean().meta({ description: "Verified buyers must agree to the terms." }),
    must_agree_to_terms_web: z.boolean().meta({ description: "Everybody else must." }),
    external_review_locale: z
      .string()
      .meta({ description: "Locales of external reviews to show, comma separated; empty means all." }),
    external_review_countries: z
      .string()
      .nullable()
      .meta({ description: "Countries of external reviews to show, comma separated; empty means all." }),
    external_pro_reviews: z.boolean().meta({ description: "Totals of expert reviews are shown." }),
    external_user_reviews: z.boolean().meta({ description: "Totals of other sites' user reviews are shown." }),
    expand_family: z.boolean().meta({ description: "Display groups reviews by product family." }),
    config: z.record(z.string(), z.unknown()).meta({ description: "Mail template and further settings." }),
  })
  .meta({ id: "Client" });
export type Client = z.infer<typeof Client>;

export const ClientFilter = z.object({ limit, after: cursor });
export type ClientFilter = z.output<typeof ClientFilter>;
