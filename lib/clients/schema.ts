import { z } from "zod";
import { limit } from "@/lib/http/fields";

/** A client as the management API shows it: one store or site and its settings. */
export const Client = z
  .object({
    id: z.string(),
    locale: z.string(),
    display_name: z.string(),
    email_name: z.string(),
    account_name: z.string(),
    contact_email: z.string().nullable(),
    contact_url: z.string().nullable(),
    send_emails_after_days: z.int(),
    send_emails_before_days: z.int(),
    send_limit: z.int(),
    quarantine_period: z.int().nullable(),
    min_review_words: z.int().nullable(),
    min_review_words_promoter: z.int().nullable(),
    collect_seller_reviews: z.boolean(),
    collect_pros_cons: z.boolean(),
    collect_questions: z.boolean(),
    collect_recommended: z.boolean(),
    own_moderation: z.boolean(),
    auto_moderate: z.boolean(),
    require_verification: z.boolean(),
    must_agree_to_terms: z.boolean(),
    must_agree_to_terms_web: z.boolean(),
    external_review_locale: z.string(),
    external_review_countries: z.string().nullable(),
    external_pro_reviews: z.boolean(),
    external_user_reviews: z.boolean(),
    expand_family: z.boolean(),
    config: z.record(z.string(), z.unknown()),
  })
  .meta({ id: "Client" });
export type Client = z.infer<typeof Client>;

export const ClientFilter = z.object({ limit, after: z.string().optional() });
export type ClientFilter = z.output<typeof ClientFilter>;
