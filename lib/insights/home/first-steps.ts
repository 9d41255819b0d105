import type { ClientRow } from "@/lib/accounts/stores/get-client";
import { TEST_CUSTOMER } from "@/lib/insights/home/post-test-order";
import type { FirstSteps } from "@/lib/insights/home/schema";
import { invitationLink } from "@/lib/invitations/links";
import { pool } from "@/lib/platform/db/pool";
import { selectSteps } from "./sql";

/** A client's progress toward its first review. Any order, email or review counts, not only those of a test. */
export async function firstSteps(client: Pick<ClientRow, "id">): Promise<FirstSteps> {
  const row = await selectSteps(pool(), client.id, TEST_CUSTOMER);
  const mailed = row.mailed || row.test_mailed;
  const reviewed = row.reviewed || row.test_reviewed;
  return {
    reachable: row.reachable,
    products: row.products,
    testOrder: row.test_order,
    ordered: row.orders,
    mailed,
    read: row.read || reviewed,
    form: row.test_invitation && invitationLink(client.id, row.test_invitation),
    reviewed,
    done: mailed && reviewed,
  };
}
