import { expect, it } from "vitest";
import { readClient } from "@/lib/accounts/stores/get-client";
import { claimInvitations } from "@/lib/invitations/claim-invitations";
import { addDays } from "@/lib/invitations/days";
import { readSimulationInput } from "@/lib/invitations/read-simulation";
import { runSimulation } from "@/lib/invitations/run-simulation";
import { validateAndSimulate } from "@/lib/invitations/validate-and-simulate";
import { withNow } from "@/lib/platform/clock";
import { pool } from "@/lib/platform/db/pool";
import { hashDatabase } from "@/lib/tools/test/factories";
import { makeClient, makeCustomer, makeOrder, makeProduct, makeReview } from "@/lib/tools/test/invitation-rows";

const today = new Date("2026-05-31T12:00:00Z");
const now = <T>(work: () => Promise<T>): Promise<T> => withNow(today, work);

/** Creates twelve people, each with an item delivered on another day of the last weeks, one of them with two. */
async function aShop(id: string, settings: Record<string, unknown> = {}): Promise<string> {
  const client = await makeClient(id, settings);
  for (let n = 0; n < 12; n += 1) {
    await makeCustomer(client, { id: `k${n}`, email: `k${n}@x.example`, opt_out: n === 11 });
    await makeOrder(client, `o${n}`, `k${n}`, [{ id: `p${n}`, delivery_date: addDays("2026-05-05", n) }]);
  }
  await makeOrder(client, "second", "k0", [{ id: "p20", delivery_date: "2026-05-20" }]);
  await makeOrder(client, "bare", "k1", [{ id: "p21" }, { id: "p22", delivery_date: "2026-05-20", reviewable: false }]);
  return client;
}

it("returns how many emails other settings would send, when, and which items are held and why; read-only", async () => {
  const client = await aShop("rehearsed");
  await makeProduct(client, "p3", { deleted: true });
  await makeReview(client, { id: "r", product_id: "p4", date: "2026-05-01", customer_id: "k4" });
  const before = await hashDatabase();
  const result = await now(() =>
    validateAndSimulate(client, { days: 30, settings: { quarantine_period: 5, send_limit: 1 } }),
  );
  expect(await hashDatabase()).toEqual(before);
  expect(result).toMatchObject({ from: "2026-05-02", to: "2026-05-31", items: 15 });
  // Current settings: everyone once, except the opted-out person, the deleted and the reviewed product; k0's second
  // item is in its cooldown until 2 June.
  expect(result.present).toMatchObject({ mails: 10, items: 10, open: 0 });
  expect(result.present.held).toEqual([
    { reason: "not_reviewable", items: 1, examples: [{ order_id: "bare", item_id: "p22" }] },
    { reason: "no_delivery_date", items: 1, examples: [{ order_id: "bare", item_id: "p21" }] },
    { reason: "product_deleted", items: 1, examples: [{ order_id: "o3", item_id: "p3" }] },
    { reason: "opted_out", items: 1, examples: [{ order_id: "o11", item_id: "p11" }] },
    { reason: "already_reviewed", items: 1, examples: [{ order_id: "o4", item_id: "p4" }] },
  ]);
  expect(result.present.by_day[0]).toEqual({ day: "2026-05-12", mails: 1, items: 1 });
  expect(result.present.late).toEqual([{ reason: "quarantine", items: 1, days: 6 }]);
  // Changed settings: k0's second item is due on 27 May, when the cooldown is over.
  expect(result.changed?.mails).toBe(10);
  expect(result.changed?.late).toEqual([]);
  expect(result.changed?.by_day.every(({ mails }) => mails === 1)).toBe(true);
});

it("reports items held by the limit or the window", async () => {
  const client = await makeClient("shut");
  for (let n = 0; n < 9; n += 1) {
    await makeCustomer(client, { id: `k${n}`, email: `k${n}@x.example` });
    await makeOrder(client, `o${n}`, `k${n}`, [{ id: "p", delivery_date: "2026-05-20" }]);
  }
  const settings = { send_limit: 2, send_emails_after_days: 1, send_emails_before_days: 3 };
  const { present, changed } = await now(() => validateAndSimulate(client, { days: 20, settings }));
  expect(present).toMatchObject({ mails: 9, held: [] });
  // Three days with two emails, then the window ends for the other three.
  expect(changed).toMatchObject({ mails: 6, held: [{ reason: "send_limit", items: 3 }] });
  expect(changed?.by_day).toEqual(
    ["2026-05-21", "2026-05-22", "2026-05-23"].map((day) => ({ day, mails: 2, items: 2 })),
  );
  expect(changed?.late).toEqual([{ reason: "send_limit", items: 4, days: 6 }]);
  const none = await now(() => validateAndSimulate(client, { days: 20, settings: { send_limit: 0 } }));
  expect(none.changed).toMatchObject({ mails: 0, held: [{ reason: "send_limit", items: 9 }] });
});

it("matches what the jobs then send, day by day", async () => {
  const id = await aShop("foreseen", { quarantine_period: 4, send_limit: 2 });
  const client = (await readClient(pool(), id))!;
  const { present } = await now(() => runSimulation(client, { days: 30, settings: {} }));
  const sent: Record<string, number> = {};
  for (let day = "2026-05-02"; day <= "2026-07-31"; day = addDays(day, 1)) {
    const claimed = await withNow(new Date(`${day}T12:00:00Z`), () => claimInvitations(id));
    if (claimed.length > 0) sent[day] = claimed.length;
    // Sent on its day, since earlier emails would use the next day's limit.
    await pool().query("update invitations set status = 'sent', sent_at = claimed_at where client_id = $1", [id]);
  }
  expect(Object.fromEntries(present.by_day.map(({ day, mails }) => [day, mails]))).toEqual(sent);
  // Emails really sent in these days are simulated, so they don't block themselves.
  expect((await now(() => runSimulation(client, { days: 30, settings: {} }))).present).toEqual(present);
});

it("rejects invalid settings and unknown clients", async () => {
  const client = await makeClient("careful", { contract_send_limit: 100, send_limit: 100 });
  const refused = (settings: Record<string, unknown>) => now(() => validateAndSimulate(client, { days: 5, settings }));
  await expect(refused({ send_limit: 101 })).rejects.toMatchObject({ code: "invalid_field" });
  await expect(refused({ send_emails_before_days: 3 })).rejects.toMatchObject({ code: "invalid_field" });
  await expect(refused({ locale: "sv_SE" })).rejects.toMatchObject({ code: "invalid_field" });
  await expect(validateAndSimulate("nobody", { days: 5, settings: {} })).rejects.toMatchObject({ code: "not_found" });
});

it("parses a form's fields: unchanged values are no change, invalid ones are issues", async () => {
  const client = (await readClient(pool(), await makeClient("typed", { contract_send_limit: 2_000 })))!;
  const read = (fields: Record<string, string>) => readSimulationInput(client, (name) => fields[name]);
  expect(read({ send_emails_after_days: "7", quarantine_period: "", send_limit: " 500 ", days: "90" })).toMatchObject({
    query: { days: 90 },
    changes: { send_limit: 500 },
  });
  expect(read({}).changes).toEqual({});
  expect([...read({ send_limit: "many", days: "0" }).issues.keys()].sort()).toEqual(["days", "send_limit"]);
  expect(read({ send_limit: "3000" }).issues.get("send_limit")).toMatchObject({
    reason: "exceeds_contract",
    params: { max: 2000 },
  });
  expect(read({ send_emails_after_days: "61" }).issues.get("send_emails_after_days")).toMatchObject({
    reason: "no_sending_window",
  });
});

it("counts seller-only invitations as emails, and reminders separately", async () => {
  const client = await aShop("rehearsed-more", { config: { reminder_after_days: 30, seller_only: true } });
  await makeProduct(client, "p3", { deleted: true });
  await makeReview(client, { id: "r-more", product_id: "p4", date: "2026-05-01", customer_id: "k4" });
  const result = await now(() => validateAndSimulate(client, { days: 30, settings: {} }));
  // Seller-only: k3 and k4, whose products can't be invited, and k1's unknown item after the cooldown. Reminders:
  // everyone's last email about products; k0 and k1 get another one before the first would be reminded of.
  expect(result.present).toMatchObject({ mails: 13, seller_mails: 3, reminders: 8, items: 10 });
  expect(result.present.by_day.find(({ day }) => day === "2026-06-03")).toEqual({
    day: "2026-06-03",
    mails: 1,
    items: 0,
  });
});
