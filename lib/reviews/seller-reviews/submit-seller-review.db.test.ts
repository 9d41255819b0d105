import { expect, it } from "vitest";
import { systemActor } from "@/lib/accounts/actor";
import { transaction } from "@/lib/platform/db/pool";
import { writeDecisions } from "@/lib/reviews/decisions/write-decisions";
import { submitSellerReview } from "@/lib/reviews/seller-reviews/submit-seller-review";
import { waitUntil } from "@/lib/tools/test/engines";
import { aClient, rowsOf } from "@/lib/tools/test/factories";

it("keeps a consistent history when edited and decided concurrently", async () => {
  const { id: shop, client } = await aClient();
  await rowsOf("insert into invitations (client_id, id, status, day) values ($1, 'inv', 'sent', '2026-01-01')", [shop]);
  const submission = {
    invitationId: "inv",
    orderId: "o1",
    customerId: "c1",
    author: "Ada",
    authorEmail: "ada@example.org",
    authorIp: null,
    score: 5,
    title: null,
    content: "Quick.",
    termsAgreedAt: null,
    termsVersion: null,
  };
  const id = await submitSellerReview(client, submission);
  let edit: Promise<string> | undefined;
  await transaction(async (db) => {
    await db.query("select from seller_reviews where client_id = $1 and id = $2 for update", [shop, id]);
    const decision = { id, from: null, accepted: true, reason: null, actor: systemActor, notify: false };
    await writeDecisions(db, client, "seller_review", [decision]);
    edit = submitSellerReview(client, { ...submission, content: "Slow, after all." });
    await waitUntil(async () => (await rowsOf("select from pg_locks where not granted")).length > 0);
  });
  expect(await edit).toBe(id);
  expect(
    await rowsOf(
      "select action, from_state, to_state from moderation_events where client_id = $1 and kind <> 'store' order by id",
      [shop],
    ),
  ).toEqual([
    { action: "submitted", from_state: null, to_state: "pending" },
    { action: "decided", from_state: "pending", to_state: "accepted" },
    { action: "edited", from_state: "accepted", to_state: "pending" },
  ]);
});
