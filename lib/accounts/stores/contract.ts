import { z } from "zod";
import { Client, ClientFilter } from "@/lib/accounts/stores/schema";
import { SettingsInput } from "@/lib/accounts/stores/settings";
import { endpoint } from "@/lib/platform/http/contract";
import { clientId, page, single } from "@/lib/platform/http/fields";

export const listClientsContract = endpoint({
  id: "clients.list",
  method: "GET",
  path: "/v1/clients",
  tag: "Clients",
  summary: "List stores",
  description: "Stores that the caller has access to, with their settings.",
  auth: "management",
  client: "all",
  query: ClientFilter,
  response: page(Client),
  example: {
    answer: {
      data: [
        {
          id: "shop.example.com",
          locale: "en_US",
          display_name: "Example Shop",
          email_name: "Example Shop",
          account_name: "Example Ltd",
          contact_email: "hello@shop.example.com",
          contact_url: null,
          send_emails_after_days: 7,
          send_emails_before_days: 60,
          send_limit: 1000,
          quarantine_period: null,
          min_review_words: null,
          min_review_words_promoter: null,
          collect_seller_reviews: true,
          collect_pros_cons: true,
          collect_questions: true,
          collect_recommended: true,
          own_moderation: true,
          auto_moderate: false,
          require_verification: false,
          must_agree_to_terms: false,
          must_agree_to_terms_web: false,
          external_review_locale: "",
          external_review_countries: null,
          external_pro_reviews: false,
          external_user_reviews: false,
          expand_family: false,
          config: {},
        },
      ],
      links: {},
    },
  },
});

export const setSettingsContract = endpoint({
  id: "portal.settings",
  method: "PUT",
  path: "/portal/api/v1/settings",
  tag: "Portal",
  summary: "Change a store's settings",
  description:
    "All settings are saved or none. `config`, `rules`, `custom_questions` and `allowed_origins` are replaced as a whole.",
  auth: "session",
  query: z.object({ client_id: clientId }),
  body: SettingsInput,
  response: single(z.object({ version: z.int().meta({ description: "Version of the settings after the change." }) })),
  errors: ["conflict"],
});
