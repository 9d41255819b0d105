import type { Finding } from "@/lib/moderation/rules/schema";
import { pool } from "@/lib/platform/db/pool";
import type { ModeratedKind } from "@/lib/reviews/decisions/schema";
import { selectFindings } from "./sql";

/** Returns findings by item id, in the order of the rules; items without findings are left out. */
export const listFindings = (
  clientId: string,
  kind: ModeratedKind,
  ids: readonly string[],
): Promise<Map<string, Finding[]>> => selectFindings(pool(), clientId, kind, ids);
