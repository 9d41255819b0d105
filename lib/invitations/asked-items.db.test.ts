import { expect, test } from "vitest";
import { claimInvitations } from "@/lib/invitations/claim-invitations";
import { rulesOf } from "@/lib/invitations/rules";
import { sendInvitation } from "@/lib/invitations/send-invitation";
import { withNow } from "@/lib/platform/clock";
import type { Db } from "@/lib/platform/db/pool";
import { pool } from "@/lib/platform/db/pool";
import { rowsOf } from "@/lib/tools/test/factories";
import { makeClient, makeCustomer, makeOrder } from "@/lib/tools/test/invitation-rows";
import { queryCost } from "@/lib/tools/test/query-cost";
import { selectCandidates } from "./rules-sql";

const at = <T>(work: () => Promise<T>): Promise<T> => withNow(new Date("2026-05-31T09:00:00Z"), work);
const invitedItems = (client: string) =>
  rowsOf("select order_id, id, asked from order_items where client_id = $1 order by order_id, id", [client]);

test("marks invited items, and frees them if their email is withdrawn or deleted", async () => {
  const client = await makeClient("marks");
  await makeCustomer(client, { id: "k", email: "k@x.example" });
  await makeOrder(client, "o", "k", [{ id: "lamp", delivery_date: "2026-05-20" }, { id: "rug" }]);
  const [lamp, rug] = [
    { order_id: "o", id: "lamp" },
    { order_id: "o", id: "rug" },
  ];

  const [id] = await at(() => claimInvitations(client));
  expect(await invitedItems(client)).toEqual([
    { ...lamp, asked: true },
    { ...rug, asked: false },
  ]);
  await pool().query("update customers set opt_out_by_order = true where client_id = $1", [client]);
  await at(() => sendInvitation(client, id as string)); // withdrawn: the customer objects
  expect(await invitedItems(client)).toEqual([
    { ...lamp, asked: false },
    { ...rug, asked: false },
  ]);

  await pool().query("update customers set opt_out_by_order = false where client_id = $1", [client]);
  expect(await at(() => claimInvitations(client))).toHaveLength(1);
  expect(await invitedItems(client)).toContainEqual({ ...lamp, asked: true });
  await pool().query("delete from invitations where client_id = $1", [client]);
  expect(await invitedItems(client)).toContainEqual({ ...lamp, asked: false });
});

test("reads no items invited before, however many there are", async () => {
  const client = await makeClient("backlog", { send_limit: 100_000 });
  await pool().query(
    `insert into customers (client_id, id, email, email_key, id_hash, email_hash)
     select $1, 'k' || g, 'k' || g || '@x.example', 'k' || g || '@x.example', 'i' || g, 'e' || g from generate_series(1, 3000) g`,
    [client],
  );
  await pool().query(
    "insert into orders (client_id, id, customer_id) select $1, 'o' || g, 'k' || g from generate_series(1, 3000) g",
    [client],
  );
  await pool().query(
    `insert into order_items (client_id, order_id, id, position, delivery_date, reviewable)
     select $1, 'o' || g, 'lamp', 1, '2026-05-20', true from generate_series(1, 3000) g`,
    [client],
  );
  await pool().query("insert into invitations (client_id, id, status, day) values ($1, 'all', 'sent', '2026-01-01')", [
    client,
  ]);
  await pool().query(
    "insert into invitation_items select $1, 'all', 'o' || g, 'lamp', 1 from generate_series(2, 3000) g",
    [client],
  );
  await pool().query("analyze order_items, orders, customers, invitation_items");
  const rules = rulesOf({
    send_emails_after_days: 7,
    send_emails_before_days: 60,
    send_limit: 100_000,
    contract_send_limit: null,
    quarantine_period: null,
  });
  const sent: { text: string; values: unknown[] }[] = [];
  const listening = {
    query: async (text: string, values: unknown[]) => ({
      rows: [],
      sent: sent.push({ text, values }),
    }),
  };
  const days = { first: "2026-04-01", last: "2026-05-24" };
  await selectCandidates(listening as unknown as Db, client, rules, "2026-05-31", days, 100_000);
  const [statement] = sent as [{ text: string; values: unknown[] }];
  expect((await rowsOf(statement.text, statement.values)).map(({ person }) => person)).toEqual(["k1@x.example"]);
  expect((await queryCost(statement)).read).toBeLessThan(50);
});
