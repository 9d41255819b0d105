import type { ClientRow } from "@/lib/accounts/stores/get-client";
import { pool } from "@/lib/platform/db/pool";
import { selectUnreplied } from "./sql";

/** So many of the newest reviews are looked at. */
export const MAX_COUNTED_REVIEWS = 500;

/** Of the last {@link MAX_COUNTED_REVIEWS} reviews: how many are published, and how many of those the shop has not replied to. */
export const countUnreplied = (client: Pick<ClientRow, "id">): Promise<{ published: number; unreplied: number }> =>
  selectUnreplied(pool(), client.id, MAX_COUNTED_REVIEWS);
