import { expect, it } from "vitest";
import { getOrderHistory } from "@/lib/orders/get-order-history";
import { listPortalOrders } from "@/lib/orders/list-portal-orders";
import { getInvitationMail } from "@/lib/platform/mail/get-mail";
import {
  aClient,
  anOrder,
  manyCustomers,
  rowsOf,
  someProducts,
  someReviews,
  uniqueName,
} from "@/lib/tools/test/factories";
import { totalQueryCost } from "@/lib/tools/test/query-cost";

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
    const page = await listPortalOrders(moderator, client, { after });
    seen.push(...page.orders.map(({ id }) => id));
    if (page.next === null) break;
    after = page.next;
  }
  const { length } = new Set(seen).values().toArray();
  expect([seen.length, length, seen.at(-1)]).toEqual([121, 121, "first"]);
  await expect(listPortalOrders(moderator, client, { after: "nonsense" })).rejects.toMatchObject({
    code: "invalid_cursor",
  });
});

it("finds an order by its id, its customer id or email address in any spelling", async () => {
  const client = await aClient();
  const order = await anOrder(client.id, { id: "A/1 ä", customer: { id: "c-1", email: "Ada@X.example" } });
  await anOrder(client.id);
  for (const q of ["A/1 ä", "c-1", " ada@x.EXAMPLE"]) {
    const { orders } = await listPortalOrders(moderator, client, { q });
    expect(
      orders.map(({ id }) => id),
      q,
    ).toEqual([order.id]);
  }
  expect((await listPortalOrders(moderator, client, { q: "nobody" })).orders).toEqual([]);
});

it("otherwise finds orders by the beginning of their id, or by words of customers, products and items", async () => {
  const client = await aClient();
  await someProducts(client.id, [{ id: "CLOCK", name: "Silent wall clock" }]);
  await anOrder(client.id, { id: "FF-101", customer: { id: "c-1", name: "Ada Berg", email: "ada@x.example" } });
  await anOrder(client.id, { id: "FF-102", customer: { id: "c-1" }, items: [{ id: "CLOCK" }] });
  await anOrder(client.id, {
    id: "GG-1",
    customer: { id: "c-2", name: "Oskar" },
    items: [{ id: "x", name: "Oak spoon" }],
  });
  await anOrder((await aClient()).id, {
    id: "FF-103",
    customer: { id: "c-3", name: "Ada Berg", email: "a@x.example" },
  });
  const found = async (q: string, actor: { role: "moderator" | "viewer" } = moderator) => {
    const { orders, by } = await listPortalOrders(actor, client, { q });
    return [by, ...orders.map(({ id }) => id)];
  };
  expect(await found("FF-10")).toEqual(["start", "FF-101", "FF-102"]);
  expect(await found("102")).toEqual(["words", "FF-102"]);
  expect(await found("Ada Berg")).toEqual(["words", "FF-102", "FF-101"]);
  expect(await found("berg ad")).toEqual(["words", "FF-102", "FF-101"]);
  expect(await found("oskar")).toEqual(["words", "GG-1"]);
  expect(await found("Silent wall clock")).toEqual(["words", "FF-102"]);
  expect(await found("oak sp")).toEqual(["words", "GG-1"]);
  expect(await found("Ada Berg", viewer)).toEqual(["words"]);
  expect(await found("oak sp", viewer)).toEqual(["words", "GG-1"]);
});

it("reads a limited number of rows for a name that many customers have", async () => {
  const client = await aClient();
  await manyCustomers(client.id, 3_000);
  expect((await listPortalOrders(moderator, client, { q: "ada" })).orders).toHaveLength(50);
  const { read } = await totalQueryCost(() => listPortalOrders(moderator, client, { q: "ada" }));
  // 250 customers, an order of each, and the details of a page.
  expect([read <= 1_500, read]).toEqual([true, read]);
}, 60_000);

it("lists an order found by words once, by its own time, though an item was added later", async () => {
  const client = await aClient();
  await someProducts(client.id, [{ id: "CLOCK", name: "Many words" }]);
  await rowsOf(`insert into customers (client_id, id, name, id_hash) values ($1, 'k', 'Many Words', md5($1))`, [
    client.id,
  ]);
  await rowsOf(
    `insert into orders (client_id, id, customer_id, created_at)
     select $1, 'Z-' || n, 'k', now() - make_interval(hours => n) from generate_series(1, 60) n`,
    [client.id],
  );
  await rowsOf(
    `insert into order_items (client_id, order_id, id, position, reviewable, created_at)
     select $1, 'Z-' || n, 'CLOCK', 1, true, now() - make_interval(hours => 61 - n) from generate_series(1, 60) n`,
    [client.id],
  );
  const first = await listPortalOrders(moderator, client, { q: "many words" });
  const second = await listPortalOrders(moderator, client, { q: "many words", after: first.next ?? undefined });
  const seen = [...first.orders, ...second.orders].map(({ id }) => id);
  expect(seen).toEqual(Array.from({ length: 60 }, (_, index) => `Z-${index + 1}`));
});

it.each([
  ["start", "Z-"],
  ["words", "many words"],
])("pages through orders found by %s, each once", async (way, q) => {
  const client = await aClient();
  await rowsOf(
    `insert into customers (client_id, id, name, id_hash) select $1, 'k' || n, 'Many Words', md5($1 || n) from generate_series(1, 40) n`,
    [client.id],
  );
  await rowsOf(
    `insert into orders (client_id, id, customer_id, created_at)
     select $1, 'Z-' || n, 'k' || 1 + n % 40, now() + make_interval(secs => n / 10) from generate_series(1, 120) n`,
    [client.id],
  );
  const seen: string[] = [];
  for (let after: string | undefined; ; ) {
    const page = await listPortalOrders(moderator, client, { q, after });
    expect(page.by).toBe(way);
    seen.push(...page.orders.map(({ id }) => id));
    if (page.next === null) break;
    after = page.next;
  }
  expect([seen.length, new Set(seen).size]).toEqual([120, 120]);
});

it("hides people from viewers, also in searches", async () => {
  const client = await aClient();
  await anOrder(client.id, { customer: { id: "c-1", name: "Ada", email: "ada@x.example" } });
  expect((await listPortalOrders(viewer, client, {})).orders).toMatchObject([{ customer: null }]);
  expect((await listPortalOrders(viewer, client, { q: "c-1" })).orders).toEqual([]);
  expect((await listPortalOrders(viewer, client, { q: "ada@x.example" })).orders).toEqual([]);
});

it("shows the outcome of an order", async () => {
  const client = await aClient();
  const order = await anOrder(client.id, { items: [{ id: "a" }, { id: "b" }] });
  await rowsOf(
    "insert into invitations (client_id, id, status, day, sent_at) values ($1, 'inv', 'sent', '2026-01-01', '2026-01-01T10:00:00Z')",
    [client.id],
  );
  await rowsOf("insert into invitation_items values ($1, 'inv', $2, 'a', 0)", [client.id, order.id]);
  const [id] = await someReviews(client.id, [{ order_id: order.id, product_id: "a", score: 4 }]);
  expect(await getOrderHistory(client.client, order.id)).toEqual({
    held: [],
    invitations: [
      {
        id: "inv",
        kind: "invitation",
        status: "sent",
        sent_at: "2026-01-01T10:00:00Z",
        clicked_at: null,
        stored_mail: null,
        item_ids: ["a"],
      },
    ],
    reviews: [{ id, product_id: "a", score: 4, accepted: null }],
  });
  const listed = async () => (await listPortalOrders(moderator, client, { q: order.id })).orders;
  expect(await listed()).toMatchObject([{ item_count: 2, review_count: 1, invited_at: "2026-01-01T10:00:00Z" }]);
  // A delegated invitation isn't sent until the external sender fetches it.
  await rowsOf("update invitations set handed_at = sent_at where client_id = $1", [client.id]);
  expect(await listed()).toMatchObject([{ invited_at: null }]);
  await rowsOf("update invitations set taken_at = sent_at where client_id = $1", [client.id]);
  expect(await listed()).toMatchObject([{ invited_at: "2026-01-01T10:00:00Z" }]);
});

it("finds the orders of a SKU if no order or person matches, in pages, for viewers too", async () => {
  const client = await aClient();
  const { customer } = await anOrder(client.id, { id: "first", items: [{ id: "LAMP" }, { id: "BULB" }] });
  await anOrder(client.id, { id: "BULB", items: [{ id: "shade" }] });
  await anOrder((await aClient()).id, { items: [{ id: "LAMP" }] });
  await rowsOf(
    `with o as (insert into orders (client_id, id, customer_id, created_at)
       select $1, 'n' || n, $2, now() + make_interval(secs => n / 10) from generate_series(1, 120) n
       returning client_id, id, created_at)
     insert into order_items (client_id, order_id, id, position, reviewable, created_at)
     select client_id, id, 'LAMP', 0, true, created_at from o`,
    [client.id, customer.id],
  );
  for (const actor of [moderator, viewer]) {
    const seen: string[] = [];
    for (let after: string | undefined; ; ) {
      const page = await listPortalOrders(actor, client, { q: "LAMP", after });
      expect(page.by).toBe("sku");
      seen.push(...page.orders.map(({ id }) => id));
      if (page.next === null) break;
      after = page.next;
    }
    expect([seen.length, new Set(seen).size, seen[0], seen.at(-1)]).toEqual([121, 121, "n120", "first"]);
  }
  // An order with that id takes precedence.
  const named = await listPortalOrders(moderator, client, { q: "BULB" });
  expect([named.by, named.orders.map(({ id }) => id)]).toEqual(["exact", ["BULB"]]);
  expect((await listPortalOrders(moderator, client, { q: "SHADE" })).orders).toEqual([]);
  // A cursor of a SKU search is invalid for the full list.
  const { next } = await listPortalOrders(moderator, client, { q: "LAMP" });
  await expect(listPortalOrders(moderator, client, { after: next as string })).rejects.toMatchObject({
    code: "invalid_cursor",
  });
});

it("opens stored invitations of the client's own orders only, and no other emails", async () => {
  const [client, other] = [await aClient(), await aClient()];
  const { id: orderId } = await anOrder(client.id, { items: [{ id: "a" }] });
  const aMail = async (clientId: string | null, kind: string, status = "kept") => {
    const id = uniqueName("mail");
    await rowsOf(
      `insert into mails (id, client_id, idempotency_key, kind, "to", to_key, "from", subject, status)
       values ($1, $2, $1, $3, 'ada@x.example', 'ada@x.example', 'shop@x.example', 'Hello', $4)`,
      [id, clientId, kind, status],
    );
    return id;
  };
  const [invitation, sent] = [await aMail(client.id, "invitation"), await aMail(client.id, "reminder", "sent")];
  await rowsOf(
    `insert into invitations (client_id, id, status, day, sent_at, mail_id)
     values ($1, 'one', 'sent', '2026-01-01', now(), $2), ($1, 'two', 'sent', '2026-01-01', now(), $3)`,
    [client.id, invitation, sent],
  );
  await rowsOf("insert into invitation_items values ($1, 'one', $2, 'a', 0)", [client.id, orderId]);
  const history = await getOrderHistory(client.client, orderId);
  expect(history.invitations.map(({ stored_mail }) => stored_mail)).toEqual([invitation]);
  expect(await getInvitationMail(client.id, invitation)).toMatchObject({ id: invitation, subject: "Hello" });
  const notFound = expect.objectContaining({ code: "not_found" });
  await expect(getInvitationMail(other.id, invitation)).rejects.toEqual(notFound);
  await expect(getInvitationMail(client.id, sent)).rejects.toEqual(notFound);
  // Links that only their recipient may use: passwords, confirmations, edits.
  for (const [owner, kind] of [
    [client.id, "verification"],
    [client.id, "rejection"],
    [null, "password"],
  ] as const)
    await expect(getInvitationMail(client.id, await aMail(owner, kind)), kind).rejects.toEqual(notFound);
});
