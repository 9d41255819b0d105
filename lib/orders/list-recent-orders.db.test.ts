import { expect, it } from "vitest";
import { getOrderStory } from "@/lib/orders/get-order-story";
import { listRecentOrders } from "@/lib/orders/list-recent-orders";
import { aClient, anOrder, rowsOf, someReviews } from "@/lib/test/factories";

const moderator = { role: "moderator" } as const;
const viewer = { role: "viewer" } as const;

it("pages through a client's orders, newest first, each once", async () => {
  const client = await aClient();
  await anOrder((await aClient()).id);
  const { customer } = await anOrder(client.id, { id: "first" });
  await rowsOf(
    `insert into orders (client_id, id, customer_id, created_at)
     select $1, 'n' || n, $2, now() + make_interval(secs => n / 10) from generate_series(1, 120) n`,
    [client.id, customer.id],
  );
  const seen: string[] = [];
  for (let after: string | undefined; ; ) {
    const page = await listRecentOrders(moderator, client, { after });
    seen.push(...page.orders.map(({ id }) => id));
    if (page.next === null) break;
    after = page.next;
  }
  const { length } = new Set(seen).values().toArray();
  expect([seen.length, length, seen.at(-1)]).toEqual([121, 121, "first"]);
  await expect(listRecentOrders(moderator, client, { after: "nonsense" })).rejects.toMatchObject({
    code: "invalid_cursor",
  });
});

it("finds an order by its id, its customer and the customer's address in any spelling", async () => {
  const client = await aClient();
  const order = await anOrder(client.id, { id: "A/1 ä", customer: { id: "c-1", email: "Ada@X.example" } });
  await anOrder(client.id);
  for (const q of ["A/1 ä", "c-1", " ada@x.EXAMPLE"]) {
    const { orders } = await listRecentOrders(moderator, client, { q });
    expect(
      orders.map(({ id }) => id),
      q,
    ).toEqual([order.id]);
  }
  expect((await listRecentOrders(moderator, client, { q: "A" })).orders).toEqual([]);
});

it("keeps people from viewers, and searches by them too", async () => {
  const client = await aClient();
  await anOrder(client.id, { customer: { id: "c-1", name: "Ada", email: "ada@x.example" } });
  expect((await listRecentOrders(viewer, client, {})).orders).toMatchObject([{ customer: null }]);
  expect((await listRecentOrders(viewer, client, { q: "c-1" })).orders).toEqual([]);
  expect((await listRecentOrders(viewer, client, { q: "ada@x.example" })).orders).toEqual([]);
});

it("tells what came of an order", async () => {
  const client = await aClient();
  const order = await anOrder(client.id, { items: [{ id: "a" }, { id: "b" }] });
  await rowsOf(
    "insert into invitations (client_id, id, status, day, sent_at) values ($1, 'inv', 'sent', '2026-01-01', '2026-01-01T10:00:00Z')",
    [client.id],
  );
  await rowsOf("insert into invitation_items values ($1, 'inv', $2, 'a', 0)", [client.id, order.id]);
  const [id] = await someReviews(client.id, [{ order_id: order.id, product_id: "a", score: 4 }]);
  expect(await getOrderStory(client, order.id)).toEqual({
    invitations: [
      {
        id: "inv",
        kind: "invitation",
        status: "sent",
        sent_at: "2026-01-01T10:00:00Z",
        clicked_at: null,
        item_ids: ["a"],
      },
    ],
    reviews: [{ id, product_id: "a", score: 4, accepted: null }],
  });
  const { orders } = await listRecentOrders(moderator, client, { q: order.id });
  expect(orders).toMatchObject([{ item_count: 2, review_count: 1, invited_at: "2026-01-01T10:00:00Z" }]);
});
