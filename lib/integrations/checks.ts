import { checkCommerce } from "@/lib/integrations/commerce/check-commerce";
import { checkShare } from "@/lib/integrations/delta-share/check-share";
import { checkEngagement } from "@/lib/integrations/engagement/check-engagement";
import type { KindName } from "@/lib/integrations/kinds";
import type { IntegrationWithSecrets } from "@/lib/integrations/rows";
import type { Check } from "@/lib/integrations/schema";

type ConnectionChecks = {
  [K in KindName]: (integration: IntegrationWithSecrets<K>) => Promise<Check[]>;
};

/**
 * How the connection of each kind is tried: it writes nothing elsewhere, and explains. What goes wrong is a check that
 * is not ok; whatever is thrown is a fault of ours.
 */
export const checks: ConnectionChecks = {
  engagement: checkEngagement,
  commerce: checkCommerce,
  share: checkShare,
};
