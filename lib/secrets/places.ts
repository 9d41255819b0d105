import { sealedPlaces as secondFactors } from "@/lib/auth/second-factor";
import { sealedPlaces as commerceTokens } from "@/lib/commerce/state";
import { sealedPlaces as feeds } from "@/lib/feeds/feed-rows";
import { sealedPlaces as integrations } from "@/lib/integrations/rows";
import { sealedPlaces as removals } from "@/lib/personal-data/requests";
import type { SealedPlace } from "@/lib/seal";
import { sealedPlaces as webhooks } from "@/lib/webhooks/rows";

/** Everywhere that something sealed is kept. */
export const sealedPlaces: readonly SealedPlace[] = [
  ...integrations,
  ...commerceTokens,
  ...webhooks,
  ...feeds,
  ...secondFactors,
  ...removals,
];
