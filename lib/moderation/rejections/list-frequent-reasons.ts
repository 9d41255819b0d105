import type { ClientRow } from "@/lib/accounts/stores/get-client";
import { pool } from "@/lib/platform/db/pool";
import type { RejectReason } from "@/lib/reviews/decisions/schema";
import { selectFrequentReasons } from "./sql";

/** As many as a person takes in at a glance. */
const MAX_FREQUENT = 4;
/** A reason used once or twice isn't frequent. */
const MIN_USES = 3;

/** The reasons that a store's moderators rejected for most in the last 90 days, most used first. */
export const listFrequentReasons = (client: Pick<ClientRow, "id">): Promise<RejectReason[]> =>
  selectFrequentReasons(pool(), client.id, { minUses: MIN_USES, limit: MAX_FREQUENT });
