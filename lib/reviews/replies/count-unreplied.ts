import type { ClientRow } from "@/lib/accounts/stores/get-client";
import { pool } from "@/lib/platform/db/pool";
import { selectUnreplied } from "./sql";

/** So many of the newest reviews are looked at. */
export const REPLY_REACH = 500;

/** Of the last {@link REPLY_REACH} reviews: how many are published, and how many of those the shop has not replied to. */
export const countUnreplied = (client: Pick<ClientRow, "id">): Promise<{ published: number; unreplied: number }> =>
  selectUnreplied(pool(), client.id, REPLY_REACH);
