import { sealedPlaces as secondFactors } from "@/lib/accounts/sign-in/second-factor";
import { sealedPlaces as feeds } from "@/lib/feeds/feed-rows";
import { sealedPlaces as commerceTokens } from "@/lib/integrations/commerce/state";
import { sealedPlaces as integrations } from "@/lib/integrations/rows";
import { sealedPlaces as webhooks } from "@/lib/integrations/webhooks/rows";
import type { SealedPlace } from "@/lib/platform/secrets/seal";
import { sealedPlaces as removals } from "@/lib/privacy/requests";

/** Everywhere that something sealed is kept. */
export const sealedPlaces: readonly SealedPlace[] = [
  ...integrations,
  ...commerceTokens,
  ...webhooks,
  ...feeds,
  ...secondFactors,
  ...removals,
];
