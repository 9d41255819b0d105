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
 * Connection tests by kind. They write nothing to the other system. Its failures are checks that aren't ok; only our
 * own errors are thrown.
 */
export const checks: ConnectionChecks = {
  engagement: checkEngagement,
  commerce: checkCommerce,
  share: checkShare,
};
