import { expect, it } from "vitest";
import { explainOrder } from "@/lib/invitations/explain-order";
import { notInvitedReasons } from "@/lib/invitations/not-invited-reasons";
import { withNow } from "@/lib/platform/clock";
import { aClient, anOrder, rowsOf, uniqueName } from "@/lib/tools/test/factories";

const today = new Date("2026-05-10T12:00:00Z");

it("returns a reason if the order's page says of every item that it won't be invited", async () => {
  const { client } = await aClient({ send_emails_after_days: 7 });
  const item = (id: string, delivery_date?: string) => ({ id, name: id, ...(delivery_date && { delivery_date }) });
  const email = () => `${uniqueName("ada")}@x.example`;
  const order = async (id: string, customer: object, ...items: object[]) =>
    anOrder(client.id, { id, customer: { id: `of ${id}`, ...customer }, items });
  await order("due", { email: email() }, item("a", "2026-05-01"));
  await order("coming", { email: email() }, item("a", "2026-05-20"));
  await order("nobody", {}, item("a", "2026-05-01"));
  await order("unwanted", { email: email(), opt_out: true }, item("a", "2026-05-01"));
  await order("undated", { email: email() }, item("a"));
  await order("late", { email: email() }, item("a", "2026-01-01"));
  await order("partly", { email: email() }, item("a", "2026-01-01"), item("b", "2026-05-20"));
  await order("none of them", { email: email() }, item("a", "2026-01-01"), item("b"));
  await order("failed", { email: email() }, item("a", "2026-05-01"));
  await rowsOf("insert into invitations (client_id, id, status, day) values ($1, 'inv', 'failed', '2026-05-09')", [
    client.id,
  ]);
  await rowsOf("insert into invitation_items values ($1, 'inv', 'failed', 'a', 0)", [client.id]);
  await order("without items", { email: email() });
  const ids = ["due", "coming", "nobody", "unwanted", "undated", "late", "partly", "none of them", "failed"];
  await withNow(today, async () => {
    const reasons = await notInvitedReasons(client, [...ids, "without items"]);
    expect(Object.fromEntries(reasons)).toEqual({
      nobody: "no_email",
      unwanted: "opted_out",
      undated: "no_delivery_date",
      late: "too_late",
      "none of them": "no_delivery_date",
      failed: "failed",
    });
    for (const id of ids) {
      const sentences = [...(await explainOrder(client, id)).values()].map(({ sentence }) => sentence);
      expect([id, sentences.every((each) => /^(Not|Was not) sent/.test(each))]).toEqual([id, reasons.has(id)]);
    }
  });
  // Seller-only invitations go to customers with nothing else to ask about.
  const shop = { ...client, collect_seller_reviews: true, config: { ...client.config, seller_only: true } };
  // No seller-only invitation is sent for an order that was already asked about.
  await order("failed", { email: email() }, item("a", "2026-05-01"), item("b", "2026-05-01"));
  await rowsOf("update order_items set reviewable = false where client_id = $1 and order_id = 'failed' and id = 'b'", [
    client.id,
  ]);
  await rowsOf("update order_items set reviewable = false where client_id = $1 and order_id = any($2)", [
    client.id,
    ["due", "late", "unwanted"],
  ]);
  await withNow(today, async () => {
    const [without, reasons] = [await notInvitedReasons(client, ids), await notInvitedReasons(shop, ids)];
    expect(without.get("due")).toBe("not_reviewable");
    expect(["due", "late", "unwanted", "failed"].map((id) => reasons.has(id))).toEqual([false, true, true, true]);
    for (const id of ids) {
      const sentences = [...(await explainOrder(shop, id)).values()].map(({ sentence }) => sentence);
      expect([id, sentences.every((each) => /^Not sent/.test(each) && !/seller-only/i.test(each))]).toEqual([
        id,
        reasons.has(id),
      ]);
    }
  });
  await rowsOf("update order_items set reviewable = true where client_id = $1", [client.id]);
  const clientWithoutLimit = { ...client, send_limit: 0 };
  expect((await withNow(today, () => notInvitedReasons(clientWithoutLimit, ["due", "nobody"]))).get("due")).toBe(
    "send_limit",
  );
  expect((await notInvitedReasons((await aClient()).client, ids)).size).toBe(0);
});
