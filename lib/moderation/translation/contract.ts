import { ItemParams } from "@/lib/moderation/queue/schema";
import { Translation, TranslationQuery } from "@/lib/moderation/translation/schema";
import { endpoint } from "@/lib/platform/http/contract";
import { single } from "@/lib/platform/http/fields";

export const translateContract = endpoint({
  id: "portal.queue.translate",
  method: "GET",
  path: "/portal/api/v1/queue/{kind}/{id}/translation",
  tag: "Portal",
  summary: "Translate an item's texts with the operator's translation service",
  description: "Nothing is stored. Not found if the operator hasn't set up a translation service.",
  auth: "session",
  role: "moderator",
  params: ItemParams,
  query: TranslationQuery,
  response: single(Translation),
  errors: ["rate_limited", "too_large"],
});
