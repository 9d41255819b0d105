import { expect, it } from "vitest";
import { withNow } from "@/lib/clock";
import { explainOrder } from "@/lib/invitations/explain-order";
import { planInvitations } from "@/lib/invitations/plan-invitations";
import { aClient, anOrder, fresh, rowsOf, someProducts } from "@/lib/test/factories";

const today = new Date("2026-05-10T12:00:00Z");

it("says of each item what the plan of all says", async () => {
  const { client } = await aClient({ send_emails_after_days: 7 });
  const [deleted] = await someProducts(client.id, [{ deleted: true }]);
  const email = `${fresh("ada")}@x.example`;
  const order = await anOrder(client.id, {
    customer: { id: "c-1", email },
    items: [
      { id: "due", name: "Due", delivery_date: "2026-05-01" },
      { id: "soon", name: "Soon", delivery_date: "2026-05-04" },
      { id: "later", name: "Later", delivery_date: "2026-05-20" },
      { id: "old", name: "Old", delivery_date: "2026-01-01" },
      { id: "undated", name: "Undated" },
      { id: deleted, delivery_date: "2026-05-01" },
      { id: "unknown", delivery_date: "2026-05-01" },
    ],
  });
  // Another customer id with the same address is the same person: its items are waited for too.
  await anOrder(client.id, {
    customer: { id: "c-2", email: email.toUpperCase() },
    items: [{ id: "fellow", name: "Fellow", delivery_date: "2026-05-04" }],
  });
  await withNow(today, async () => {
    const told = await explainOrder(client, order.id);
    expect(Object.fromEntries(told)).toMatchObject({
      due: { reason: "waiting_for_items", until: "2026-05-11" },
      soon: { reason: "too_early", until: "2026-05-11" },
      later: { reason: "too_early", until: "2026-05-27" },
      old: { reason: "too_late" },
      undated: { reason: "no_delivery_date" },
      [deleted as string]: { reason: "product_deleted" },
      unknown: { reason: "not_reviewable" },
    });
    const plan = await planInvitations(client.id);
    const held = plan.held.filter(({ order_id }) => order_id === order.id);
    expect(held.map(({ item_id, reason, until }) => [item_id, { reason, until }]).sort()).toEqual([...told].sort());
  });
});

it("names the day of the next mail for what is due", async () => {
  const { client } = await aClient({ send_emails_after_days: 1 });
  const order = await anOrder(client.id, { items: [{ id: "due", name: "Due", delivery_date: "2026-05-01" }] });
  await withNow(today, async () => {
    expect(Object.fromEntries(await explainOrder(client, order.id))).toEqual({
      due: { reason: null, day: "2026-05-10" },
    });
  });
});

it("knows nothing of another client's order", async () => {
  const [mine, theirs] = [await aClient(), await aClient()];
  const order = await anOrder(theirs.id);
  expect(await explainOrder(mine.client, order.id)).toEqual(new Map());
  expect(await rowsOf("select 1 from order_items where client_id = $1", [theirs.id])).toHaveLength(1);
});
