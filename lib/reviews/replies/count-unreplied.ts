import type { ClientRow } from "@/lib/accounts/stores/get-client";
import { pool } from "@/lib/platform/db/pool";
import { selectUnreplied } from "./sql";

/** Number of newest reviews to count. */
export const MAX_COUNTED_REVIEWS = 500;

/** Number of published reviews among the newest {@link MAX_COUNTED_REVIEWS}, and of those without a reply. */
export const countUnreplied = (client: Pick<ClientRow, "id">): Promise<{ published: number; unreplied: number }> =>
  selectUnreplied(pool(), client.id, MAX_COUNTED_REVIEWS);
