import { expect, test } from "vitest";
import { readClient } from "@/lib/accounts/stores/get-client";
import { openInvitation, toInvitationForm } from "@/lib/forms/invitation/open-invitation";
import { submitInvitationForm } from "@/lib/forms/invitation/submit-invitation-form";
import { claimInvitations, unsentInvitations } from "@/lib/invitations/claim-invitations";
import { explainOrder } from "@/lib/invitations/explain-order";
import { invitationToken } from "@/lib/invitations/links";
import { previewNextRun } from "@/lib/invitations/preview-next-run";
import { sendInvitation } from "@/lib/invitations/send-invitation";
import { withNow } from "@/lib/platform/clock";
import { pool } from "@/lib/platform/db/pool";
import { listMails } from "@/lib/platform/mail/list-mails";
import { someSellerReviews, uniqueName } from "@/lib/tools/test/factories";
import { makeClient, makeCustomer, makeOrder } from "@/lib/tools/test/invitation-rows";

const at = <T>(date: string, work: () => T): T => withNow(new Date(`${date}T09:00:00Z`), work);
const run = (client: string, date: string) =>
  at(date, async () => {
    const claimed = await claimInvitations(client);
    for (const id of await unsentInvitations(client)) await sendInvitation(client, id);
    return claimed;
  });

/** Creates a customer whose order contains an item that isn't in the catalog. */
async function shop(config: object = { seller_only: true }) {
  const client = await makeClient(uniqueName("shop"), { config });
  const email = `${uniqueName("anna")}@x.example`;
  await makeCustomer(client, { id: "k", email, name: "Anna" });
  await makeOrder(client, "o", "k", [
    { id: "unknown", delivery_date: "2026-03-01", reviewable: false },
    { id: "off", delivery_date: "2026-03-01", reviewable: false, cancelled: true },
  ]);
  return { client, email };
}
const explanationOf = async (client: string, order: string, item: string) =>
  (await explainOrder((await readClient(pool(), client))!, order)).get(item)?.sentence;

test("sends one seller-only invitation if an order has nothing else to ask about", async () => {
  const { client, email } = await shop();
  const unknown = { order_id: "o", item_id: "unknown" };
  expect(await at("2026-03-05", () => explanationOf(client, "o", "unknown"))).toBe(
    "Not sent: the item isn’t in the catalog. A seller-only invitation will be sent on 8 Mar 2026.",
  );
  expect(await run(client, "2026-03-07")).toEqual([]);
  const preview = await at("2026-03-08", () => previewNextRun(client));
  expect(preview.send).toEqual([{ to: email, at: "2026-03-08T09:00:00Z", items: [unknown], seller_only: true }]);
  expect(preview.held).toContainEqual({ ...unknown, reason: "not_reviewable", until: null });

  const [id = ""] = await run(client, "2026-03-08");
  const [mail] = await listMails({ to: email });
  expect(mail?.subject).toBe("How was Lanterna?");
  expect(mail?.html).toContain("?item=seller&amp;score=5");
  expect(mail?.html).not.toContain("unknown");
  expect(await at("2026-03-08", () => explanationOf(client, "o", "unknown"))).toBe(
    "Seller-only invitation sent on 8 Mar 2026.",
  );

  // The form asks only for a store review, which is stored as a review by this order's buyer.
  const token = invitationToken(client, id);
  const open = await at("2026-03-09", () => openInvitation(token));
  if (open.state !== "open") throw new Error(open.state);
  expect(toInvitationForm(open, {}).items).toEqual([]);
  const form = new FormData();
  for (const [name, value] of [
    ["author", "Anna K."],
    ["seller.score", "5"],
    ["seller.content", "Quick and kind."],
  ] as const)
    form.append(name, value);
  expect(await at("2026-03-09", () => submitInvitationForm(token, form, "192.0.2.9"))).toEqual({
    outcome: "stored",
    reviews: 1,
  });
  const { rows } = await pool().query("select score, order_id, customer_id from seller_reviews where client_id = $1", [
    client,
  ]);
  expect(rows).toEqual([{ score: 5, order_id: "o", customer_id: "k" }]);

  // None for this order, nor, so soon after the review, for another.
  await makeOrder(client, "o2", "k", [{ id: "other", delivery_date: "2026-04-01", reviewable: false }]);
  for (const day of ["2026-03-30", "2026-04-10", "2026-05-20"]) expect(await run(client, day)).toEqual([]);
});

test("isn't sent if the customer reviewed the store between claim and sending", async () => {
  const { client, email } = await shop();
  const [id = ""] = await at("2026-03-08", () => claimInvitations(client));
  expect(id).not.toBe("");
  await someSellerReviews(client, [{ email_key: email, date: "2026-03-08" }]);
  await at("2026-03-08", () => sendInvitation(client, id));
  expect(await listMails({ to: email })).toEqual([]);
  const { rows } = await pool().query(
    "select data ->> 'reason' as reason from outbox where client_id = $1 and name = 'invitation/skipped'",
    [client],
  );
  expect(rows).toEqual([{ reason: "already_reviewed" }]);
  expect(await run(client, "2026-03-09")).toEqual([]);
});

test("isn't sent before an invitation for a product, which asks about the store as well", async () => {
  const { client } = await shop();
  await makeOrder(client, "o2", "k", [{ id: "lamp", delivery_date: "2026-03-20" }]);
  for (const day of ["2026-03-08", "2026-03-20"]) expect(await run(client, day)).toEqual([]);
  const [id] = await run(client, "2026-03-27");
  const { rows } = await pool().query("select kind from invitations where client_id = $1 and id = $2", [client, id]);
  expect(rows).toEqual([{ kind: "invitation" }]);
});

test("isn't sent unless the client turns it on", async () => {
  const { client } = await shop({});
  expect(await run(client, "2026-03-10")).toEqual([]);
  await pool().query("update clients set config = $2, collect_seller_reviews = false where id = $1", [
    client,
    { seller_only: true },
  ]);
  expect(await run(client, "2026-03-10")).toEqual([]);
  expect((await at("2026-03-10", () => previewNextRun(client))).send).toEqual([]);
});

test("isn't sent once the client turns it off or the order is cancelled", async () => {
  for (const stop of [
    "update clients set collect_seller_reviews = false where id = $1",
    "update order_items set reviewable_set = false where client_id = $1",
  ]) {
    const { client, email } = await shop();
    const [id = ""] = await at("2026-03-10", () => claimInvitations(client));
    await pool().query(stop, [client]);
    await at("2026-03-10", () => sendInvitation(client, id));
    expect(await listMails({ to: email })).toEqual([]);
    const { rows } = await pool().query("select status from invitations where client_id = $1", [client]);
    expect(rows).toEqual([{ status: "failed" }]);
  }
});

test("gives way to products if the day's limit is low", async () => {
  const { client } = await shop();
  await pool().query("update clients set send_limit = 1 where id = $1", [client]);
  await makeCustomer(client, { id: "bo", email: `${uniqueName("bo")}@x.example` });
  await makeOrder(client, "o2", "bo", [{ id: "lamp", delivery_date: "2026-03-02" }]);
  const kinds: string[] = [];
  for (const day of ["2026-03-09", "2026-03-10", "2026-03-11"])
    for (const id of await run(client, day))
      kinds.push((await pool().query("select kind from invitations where id = $1", [id])).rows[0].kind);
  expect(kinds).toEqual(["invitation", "seller"]);
});
