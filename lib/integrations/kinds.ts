import type { z } from "zod";
import { commerceKind } from "@/lib/integrations/commerce/schema";
import { shareKind } from "@/lib/integrations/delta-share/settings";
import { engagementKind } from "@/lib/integrations/engagement/settings";

/** The kinds of integrations. Their connection tests are in `checks.ts`. Browser-safe. */
export const kinds = {
  engagement: engagementKind,
  commerce: commerceKind,
  share: shareKind,
} as const;

export type KindName = keyof typeof kinds;
export const kindNames = Object.keys(kinds) as [KindName, ...KindName[]];
export type SettingsOf<K extends KindName> = z.output<(typeof kinds)[K]["settings"]>;
export type SecretsOf<K extends KindName> = z.output<(typeof kinds)[K]["secrets"]>;
