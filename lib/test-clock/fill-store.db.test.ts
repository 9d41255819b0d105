import { expect, it } from "vitest";
import * as fill from "@/app/portal/api/v1/test_store/fill/route";
import { systemActor } from "@/lib/accounts/actor";
import { fillStore } from "@/lib/test-clock/fill-store";
import { call } from "@/lib/tools/test/call";
import { aClient, aMember, anOrder, aUser, rowsOf, sessionHeaders, someProducts } from "@/lib/tools/test/factories";

/** Texts that only the real store's people and their orders have. */
const people = [
  "Zebulon",
  "Quastenfloß",
  "zq@secret.example",
  "+46709999",
  "ZORDER",
  "ZCUST",
  "Gravur für Oma",
  "Butik Zeta",
  "ZENGRAVED",
];

async function aRealStore() {
  const shop = await aClient();
  await someProducts(shop.id, [
    { id: "lamp", name: "Oak lamp" },
    { id: "shade", name: "Shade" },
    { id: "unsold", name: "Desk" },
  ]);
  const customer = {
    id: "ZCUST-1",
    name: "Zebulon Quastenfloß",
    email: "zq@secret.example",
    phone: "+46709999",
    lang: "sv",
  };
  await anOrder(shop.id, {
    id: "ZORDER-1",
    store_name: "Butik Zeta",
    value: 129.9,
    customer,
    items: [
      {
        id: "lamp",
        name: "Gravur für Oma",
        delivery_date: "2026-11-20",
        returned: true,
        properties: { text: "Gravur für Oma" },
      },
      { id: "ZENGRAVED", name: "Gravur für Oma" },
    ],
  });
  await anOrder(shop.id, { id: "ZORDER-2", customer, items: [{ id: "shade" }] });
  await anOrder(shop.id, {
    id: "ZORDER-3",
    customer: { id: "ZCUST-2", email: "zq2@secret.example", opt_out: true },
    items: [{ id: "lamp" }],
  });
  await anOrder(shop.id, { id: "ZORDER-4", customer: { id: "ZCUST-3" }, items: [{ id: "unsold" }] });
  await rowsOf("update orders set created_at = now() - interval '3 days' where client_id = $1", [shop.id]);
  await rowsOf("update orders set created_at = now() - interval '31 days' where client_id = $1 and id = 'ZORDER-4'", [
    shop.id,
  ]);
  return shop;
}

const rowsWithText = async (clientId: string, tables: string[]): Promise<string> => {
  const texts = await Promise.all(
    tables.map((table) => rowsOf(`select to_jsonb(r)::text as row from ${table} r where client_id = $1`, [clientId])),
  );
  return texts
    .flat()
    .map(({ row }) => row)
    .join("\n");
};

it("copies products, days and who ordered together, and nothing of the people", async () => {
  const [real, test] = [await aRealStore(), await aClient({}, { test: true })];
  expect(await fillStore(systemActor, test.client, real)).toEqual({ products: 2, people: 2, orders: 3 });

  const rows = await rowsOf(
    `select c.name, c.email, c.lang, c.opt_out_by_order as opted_out, count(distinct o.id)::int as orders,
            array_agg(i.name order by i.id) as names, array_agg(case when i.id like 'item-%' then 'item' else i.id end order by i.id) as ids,
            max(i.delivery_date)::text as delivered, max(o.value)::text as value, array_agg(i.id order by i.id) filter (where i.returned) as returned,
            max(now() - o.created_at) > interval '2 days' as is_earlier
       from customers c join orders o on o.client_id = $1 and o.customer_id = c.id
       join order_items i on i.client_id = $1 and i.order_id = o.id
      where c.client_id = $1 group by c.id, c.name, c.email, c.lang, c.opt_out_by_order order by orders desc`,
    [test.id],
  );
  expect(rows).toEqual([
    {
      name: expect.stringMatching(/^[A-Z][a-z]+ [A-Z][a-z]+$/),
      email: expect.stringMatching(/^[a-z.]+\.[0-9a-f]{8}\.\d@example\.com$/),
      lang: "sv",
      opted_out: false,
      orders: 2,
      ids: ["item", "lamp", "shade"],
      names: ["Product 1", null, null],
      delivered: "2026-11-20",
      value: "129.900",
      returned: ["lamp"],
      is_earlier: true,
    },
    expect.objectContaining({
      opted_out: true,
      orders: 1,
      ids: ["lamp"],
      email: expect.stringContaining("@example.com"),
    }),
  ]);

  const tables = await rowsOf(
    `select table_name as name from information_schema.columns c join information_schema.tables t using (table_schema, table_name)
      where table_schema = 'public' and column_name = 'client_id' and table_type = 'BASE TABLE'`,
  );
  const [copies, originals] = await Promise.all(
    [test, real].map(({ id }) =>
      rowsWithText(
        id,
        tables.map(({ name }) => name),
      ),
    ),
  );
  for (const text of people) {
    expect(originals?.toLowerCase(), text).toContain(text.toLowerCase());
    expect(copies?.toLowerCase(), text).not.toContain(text.toLowerCase());
  }
  const hashes = await rowsOf("select id_hash, email_hash from customers where client_id = $1", [real.id]);
  for (const hash of hashes.flatMap((row) => Object.values(row))) if (hash !== null) expect(copies).not.toContain(hash);

  // Once more, with other people.
  expect(await fillStore(systemActor, test.client, real)).toEqual({ products: 0, people: 2, orders: 3 });
});

it("needs a test store, and an admin of both", async () => {
  const [real, test] = [await aRealStore(), await aClient({}, { test: true })];
  const post = (into: string, from: string, headers: Record<string, string>) =>
    call(fill, "POST", `/portal/api/v1/test_store/fill?client_id=${into}`, { headers, body: { from } });
  const operator = await sessionHeaders(await aUser("operator"));
  expect((await post(test.id, real.id, operator)).json.data).toMatchObject({ orders: 3 });
  expect((await post(real.id, test.id, operator)).status).toBe(409);
  expect((await post(test.id, (await aMember(test, "admin")).id, operator)).status).toBe(403);
  const { headers } = await aMember(test, "admin");
  expect((await post(test.id, real.id, headers)).status).toBe(403);
  const both = await aUser("admin", { clients: [test.id, real.id], roles: { [real.id]: "viewer" } });
  expect((await post(test.id, real.id, await sessionHeaders(both))).status).toBe(403);
});
