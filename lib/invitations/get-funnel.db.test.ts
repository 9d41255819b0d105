import { expect, it } from "vitest";
import { readClient } from "@/lib/accounts/stores/get-client";
import { funnelCsv, getFunnel } from "@/lib/invitations/get-funnel";
import { withNow } from "@/lib/platform/clock";
import { pool } from "@/lib/platform/db/pool";
import { makeClient, makeCustomer, makeOrder, makeProduct } from "@/lib/tools/test/invitation-rows";

const now = <T>(work: () => Promise<T>): Promise<T> => withNow(new Date("2026-05-31T12:00:00Z"), work);

type Mail = { id: string; day: string; items?: [order: string, item: string][] } & Record<string, unknown>;

async function aMail(client: string, { items = [], ...columns }: Mail): Promise<void> {
  const row: Record<string, unknown> = {
    client_id: client,
    status: "sent",
    sent_at: `${columns.day}T09:00:00Z`,
    ...columns,
  };
  const names = Object.keys(row);
  await pool().query(
    `insert into invitations (${names.join(", ")}) values (${names.map((_, at) => `$${at + 1}`).join(", ")})`,
    Object.values(row),
  );
  for (const [at, [order, item]] of items.entries())
    await pool().query("insert into invitation_items values ($1, $2, $3, $4, $5)", [
      client,
      columns.id,
      order,
      item,
      at + 1,
    ]);
}

async function aShop(id: string) {
  await makeClient(id);
  await makeCustomer(id, { id: "k", email: "k@x.example" });
  for (const order of ["o1", "o2", "o3"]) await makeOrder(id, order, "k", [{ id: "lamp" }, { id: "rug" }]);
  await makeProduct(id, "lamp", { name: '=Lamp, "big"' });
  return (await readClient(pool(), id))!;
}

it("counts emails by stage, by day and by product, including reminders", async () => {
  const client = await aShop("funnel");
  const other = await aShop("funnel-other");
  await aMail(other.id, { id: "theirs", day: "2026-05-20", opened_at: "2026-05-20T10:00:00Z" });
  await aMail(client.id, { id: "old", day: "2026-04-01", items: [["o3", "lamp"]] });
  await aMail(client.id, {
    id: "a",
    day: "2026-05-20",
    items: [
      ["o1", "lamp"],
      ["o1", "rug"],
      ["o2", "lamp"],
    ],
    delivered_at: "2026-05-20T09:01:00Z",
    opened_at: "2026-05-21T09:01:00Z",
    clicked_at: "2026-05-21T09:02:00Z",
    reviewed_at: "2026-05-21T09:09:00Z",
  });
  await aMail(client.id, { id: "b", day: "2026-05-20", items: [["o2", "rug"]], bounced_at: "2026-05-20T09:01:00Z" });
  await aMail(client.id, {
    id: "r",
    day: "2026-05-25",
    kind: "reminder",
    reminder_of: "b",
    delivered_at: "2026-05-25T09:01:00Z",
  });
  await aMail(client.id, { id: "waits", day: "2026-05-26", status: "claimed", sent_at: null, items: [["o3", "rug"]] });
  await aMail(client.id, { id: "back", day: "2026-05-26", status: "failed", sent_at: null });
  await pool().query(
    `insert into reviews (client_id, id, source, product_id, score, date, order_id, invitation_id, feedback_token)
     values ($1, 'v', 'invitation', 'lamp', 4, '2026-05-21', 'o1', 'a', 'tok-funnel')`,
    [client.id],
  );
  const funnel = await now(() => getFunnel(client, {}));
  expect(funnel).toMatchObject({ from: "2026-05-02", to: "2026-05-31", product: null });
  expect(funnel.total).toEqual({
    planned: 4,
    sent: 3,
    failed: 0,
    waiting: 1,
    delivered: 2,
    bounced: 1,
    untold: 0,
    opened: 1,
    clicked: 1,
    reviewed: 1,
  });
  expect(funnel.days.map(({ day, planned, reviewed }) => [day, planned, reviewed])).toEqual([
    ["2026-05-20", 2, 1],
    ["2026-05-25", 1, 0],
    ["2026-05-26", 1, 0],
  ]);
  // One email asked about the lamp of two orders: it counts once. Three asked about the rug, one of them a reminder.
  expect(
    funnel.products.map(({ product_id, planned, sent, opened, reviewed }) => [
      product_id,
      planned,
      sent,
      opened,
      reviewed,
    ]),
  ).toEqual([
    ["rug", 4, 3, 1, 0],
    ["lamp", 1, 1, 1, 1],
  ]);
  const lamp = await now(() => getFunnel(client, { product: "lamp", from: "2026-03-01" }));
  expect(lamp.total).toMatchObject({ planned: 2, sent: 2, reviewed: 1 });
  expect(lamp.days.map(({ day }) => day)).toEqual(["2026-04-01", "2026-05-20"]);
  expect((await now(() => getFunnel(client, { from: "2026-05-25", to: "2026-05-25" }))).total.planned).toBe(1);

  expect(funnelCsv(funnel, "day").split("\r\n").slice(0, 2)).toEqual([
    "day,planned,sent,failed,waiting,delivered,bounced,untold,opened,clicked,reviewed",
    "2026-05-20,2,2,0,0,1,1,0,1,1,1",
  ]);
  expect(funnelCsv(funnel, "product")).toContain(`lamp,"'=Lamp, ""big""",1,1,0,0,1,0,0,1,1,1`);
});

it("counts every email in exactly one outcome", async () => {
  const client = await aShop("whole-funnel");
  const [day, at] = ["2026-05-20", "2026-05-20T09:01:00Z"];
  await aMail(client.id, { id: "there", day, delivered_at: at });
  await aMail(client.id, { id: "back", day, bounced_at: at });
  // One server on the way reported a bounce, but the email was opened.
  await aMail(client.id, { id: "both", day, bounced_at: at, delivered_at: at, opened_at: at });
  await aMail(client.id, { id: "silent-1", day });
  await aMail(client.id, { id: "silent-2", day });
  await aMail(client.id, { id: "waits", day, status: "claimed", sent_at: null });
  await aMail(client.id, { id: "handed", day, status: "sent", handed_at: at });
  await aMail(client.id, { id: "refused", day, status: "failed", sent_at: null, handed_at: at });
  await aMail(client.id, { id: "went and failed", day, status: "failed" });
  const funnel = await now(() => getFunnel(client, {}));
  expect(funnelCsv(funnel, "day")).toContain("2026-05-20,9,6,1,2,2,1,3,");
  expect(funnel.total).toMatchObject({
    planned: 9,
    sent: 6,
    failed: 1,
    waiting: 2,
    delivered: 2,
    bounced: 1,
    untold: 3,
  });
});

it("returns null for counts without delivery events", async () => {
  const client = await aShop("silent");
  await aMail(client.id, { id: "a", day: "2026-05-20" });
  const { total } = await now(() => getFunnel(client, {}));
  expect(total).toEqual({
    planned: 1,
    sent: 1,
    failed: 0,
    waiting: 0,
    delivered: null,
    bounced: null,
    untold: null,
    opened: null,
    clicked: null,
    reviewed: 0,
  });
  expect(funnelCsv(await now(() => getFunnel(client, {})), "day")).toContain("2026-05-20,1,1,0,0,,,,,,0");
});

it("covers two years at most", async () => {
  const client = await aShop("ancient");
  expect((await now(() => getFunnel(client, { from: "0001-01-01" }))).from).toBe("2024-05-30");
});

it("supports days from the calendar's start", async () => {
  const client = await aShop("funnel-first");
  const funnel = await getFunnel(client, { from: "0001-01-01", to: "0001-01-01" });
  expect(funnel).toMatchObject({ from: "0001-01-01", to: "0001-01-01", days: [] });
  expect(await getFunnel(client, { to: "0001-01-05" })).toMatchObject({ from: "0001-01-01" });
});
