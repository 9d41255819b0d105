import { sealedColumns as secondFactors } from "@/lib/accounts/sign-in/second-factor";
import { sealedColumns as feeds } from "@/lib/feeds/feed-rows";
import { sealedColumns as logKeys } from "@/lib/honesty/signing-keys";
import { sealedColumns as commerceTokens } from "@/lib/integrations/commerce/state";
import { sealedColumns as integrations } from "@/lib/integrations/rows";
import { sealedColumns as webhooks } from "@/lib/integrations/webhooks/rows";
import type { SealedColumn } from "@/lib/platform/secrets/seal";
import { sealedColumns as erasures } from "@/lib/privacy/erasure-requests";

/** All columns with encrypted values. */
export const sealedColumns: readonly SealedColumn[] = [
  ...integrations,
  ...commerceTokens,
  ...webhooks,
  ...feeds,
  ...secondFactors,
  ...erasures,
  ...logKeys,
];
