import { expect, it } from "vitest";
import * as hold from "@/app/portal/api/v1/orders/[id]/hold/route";
import * as holds from "@/app/portal/api/v1/orders/[id]/holds/route";
import * as order from "@/app/v1/orders/[id]/route";
import type { ClientRow } from "@/lib/accounts/stores/get-client";
import { addDays } from "@/lib/invitations/days";
import { explainOrder } from "@/lib/invitations/explain-order";
import { getOrderHistory } from "@/lib/orders/get-order-history";
import type { HoldChange } from "@/lib/orders/schema";
import { withNow } from "@/lib/platform/clock";
import { call, type RequestOptions } from "@/lib/tools/test/call";
import { aClient, aMember, anOrder, hashDatabase, rowsOf } from "@/lib/tools/test/factories";

const delivery_date = new Date().toISOString().slice(0, 10);
const items = ["a", "b", "c"].map((id) => ({ id, name: id, delivery_date }));
const put = (id: string, body: unknown, sent: RequestOptions) =>
  call(hold, "PUT", `/portal/api/v1/orders/${encodeURIComponent(id)}/hold`, { ...sent, body });
const heldOf = async (client: ClientRow, id: string) =>
  (await getOrderHistory(client, id)).held.map(({ item_id }) => item_id);

it("pauses and resumes items repeatedly, as their explanations show", async () => {
  const shop = await aClient();
  const moderator = await aMember(shop);
  const { id } = await anOrder(shop.id, { id: "O/1 ä", items });
  const fetchOrder = () => call(order, "GET", `/v1/orders/${encodeURIComponent(id)}`, { key: shop.key });
  const before = (await fetchOrder()).text;
  expect((await put(id, { held: true, items: ["b", "b"] }, moderator)).status).toBe(200);
  expect((await put(id, { held: true, items: ["b"] }, moderator)).status).toBe(200);
  expect(await heldOf(shop.client, id)).toEqual(["b"]);
  expect((await explainOrder(shop.client, id)).get("b")).toMatchObject({ reason: "held" });
  expect((await explainOrder(shop.client, id)).get("a")).not.toMatchObject({ reason: "held" });
  expect((await put(id, { held: true }, moderator)).status).toBe(200);
  expect(await heldOf(shop.client, id)).toEqual(["a", "b", "c"]);
  expect((await put(id, { held: false, items: ["a", "c"] }, moderator)).status).toBe(200);
  expect(await heldOf(shop.client, id)).toEqual(["b"]);
  expect((await put(id, { held: false }, moderator)).status).toBe(200);
  expect(await heldOf(shop.client, id)).toEqual([]);
  // The API response is unchanged, so clients needn't fetch the order again.
  expect((await fetchOrder()).text).toBe(before);
});

it("changes nothing without permission, for another client's order, or for a missing item", async () => {
  const [shop, other] = [await aClient(), await aClient()];
  const { id } = await anOrder(shop.id, { items });
  const foreign = await anOrder(other.id, { items });
  const empty = await anOrder(shop.id, { items: [] });
  const [viewer, moderator] = [await aMember(shop, "viewer"), await aMember(shop)];
  const before = await hashDatabase();
  const answers = [
    await put(id, { held: true }, viewer),
    await put(foreign.id, { held: true }, moderator),
    await put("none", { held: true }, moderator),
    await put(empty.id, { held: true }, moderator),
    await put(id, { held: true, items: ["a", "x"] }, moderator),
    await put(id, { held: true, items: [] }, moderator),
    await put(id, { items: ["a"] }, moderator),
    await put(id, { held: true }, { key: shop.key }),
    await put(id, { held: true, until: delivery_date }, moderator),
    await put(id, { held: true, until: "tomorrow" }, moderator),
    await put(id, { held: false, until: addDays(delivery_date, 9) }, moderator),
  ];
  expect(answers.map(({ status }) => status)).toEqual([403, 404, 404, 404, 404, 422, 422, 401, 422, 422, 422]);
  expect(await hashDatabase()).toBe(before);
});

it("holds items until a day, explains it, and records who decided", async () => {
  const shop = await aClient();
  const moderator = await aMember(shop, "moderator");
  const { id } = await anOrder(shop.id, { items });
  const until = addDays(delivery_date, 30);
  const explanation = async () => (await explainOrder(shop.client, id)).get("a");
  const present = (await explanation())?.day;
  for (const _ of [1, 2]) expect((await put(id, { held: true, until, items: ["a"] }, moderator)).status).toBe(200);
  expect((await getOrderHistory(shop.client, id)).held).toEqual([{ item_id: "a", until }]);
  const held = await explanation();
  expect(held).toMatchObject({ reason: "held", until, day: until });
  expect(held?.sentence).toMatch(/^Scheduled for .+: the invitation is paused until .+\.$/);
  expect(held?.timeline).toContainEqual(
    expect.objectContaining({ text: expect.stringMatching(/^Paused until .+ by /), ahead: false }),
  );
  expect(held?.timeline).toContainEqual({ day: until, at: null, text: "Pause ends.", ahead: true });
  // The hold ends on that day.
  await withNow(new Date(`${until}T12:00:00Z`), async () => {
    expect(await heldOf(shop.client, id)).toEqual([]);
    expect(await explanation()).toMatchObject({ reason: null });
  });
  // Then held without an end, and released.
  expect((await put(id, { held: true, items: ["a"] }, moderator)).status).toBe(200);
  expect(await explanation()).toMatchObject({ reason: "held", until: null, day: null });
  expect((await put(id, { held: false, items: ["a"] }, moderator)).status).toBe(200);
  const free = await explanation();
  expect(free?.day).toBe(present);
  const words = free?.timeline
    .filter(({ text }) => /paused|resumed/i.test(text))
    .map(({ text }) => text.split(/ by | until /)[0]);
  expect(words).toEqual(["Paused", "Paused indefinitely", "Resumed"]);
  const audit = await rowsOf("select action, subject, detail from audit_entries where client_id = $1 order by id", [
    shop.id,
  ]);
  expect(audit).toEqual([
    { action: "order.held", subject: id, detail: { items: ["a"], until } },
    { action: "order.held", subject: id, detail: { items: ["a"], until: null } },
    { action: "order.released", subject: id, detail: { items: ["a"] } },
  ]);
});

it("keeps longer holds, and undoes exactly what it changed", async () => {
  const shop = await aClient();
  const moderator = await aMember(shop, "moderator");
  const { id } = await anOrder(shop.id, { items });
  const day = (days: number) => addDays(delivery_date, days);
  const undo = (body: unknown) => call(holds, "PUT", `/portal/api/v1/orders/${id}/holds`, { ...moderator, body });
  const swapped = (changes: HoldChange[]) => ({
    items: changes.map(({ id: item, from, to }) => ({ id: item, from: to, to: from })),
  });
  const held = async () =>
    Object.fromEntries(
      (await getOrderHistory(shop.client, id)).held.map(({ item_id, until }) => [item_id, until ?? "for good"]),
    );
  await put(id, { held: true, items: ["a"] }, moderator);
  await put(id, { held: true, until: day(9), items: ["b"] }, moderator);
  const before = await held();
  expect(before).toEqual({ a: "for good", b: day(9) });

  // A week is shorter than one existing hold and weaker than the indefinite one.
  const week = await put(id, { held: true, until: day(7) }, moderator);
  expect(week.json.data).toEqual([{ id: "c", from: { held: false, until: null }, to: { held: true, until: day(7) } }]);
  expect(await held()).toEqual({ ...before, c: day(7) });
  expect((await undo(swapped(week.json.data))).json.data).toEqual(swapped(week.json.data).items);
  expect(await held()).toEqual(before);

  // A month is longer than one existing hold; undo restores its own day.
  const month = await put(id, { held: true, until: day(30) }, moderator);
  expect(await held()).toEqual({ a: "for good", b: day(30), c: day(30) });
  await undo(swapped(month.json.data));
  expect(await held()).toEqual(before);

  // All released, then all restored.
  const free = await put(id, { held: false }, moderator);
  expect(await held()).toEqual({});
  await undo(swapped(free.json.data));
  expect(await held()).toEqual(before);

  // Undo keeps what another user decided meanwhile.
  const other = await put(id, { held: true, until: day(7) }, moderator);
  await put(id, { held: true, items: ["c"] }, moderator);
  expect((await undo(swapped(other.json.data))).json.data).toEqual([]);
  expect(await held()).toEqual({ ...before, c: "for good" });

  const notes = await rowsOf(
    "select action, until from item_notes where client_id = $1 and order_id = $2 and item_id = 'b' order by id",
    [shop.id, id],
  );
  expect(notes.map(({ action, until }) => [action, until])).toEqual([
    ["held", day(9)],
    ["held", day(30)],
    ["held", day(9)],
    ["released", null],
    ["held", day(9)],
  ]);
  const [last] = swapped(free.json.data).items;
  const untouched = await hashDatabase();
  const answers = [
    await undo({ items: [{ ...last, id: "x" }] }),
    await undo({ items: [last, last] }),
    await undo({ items: [] }),
    await undo({ items: [{ ...last, to: { held: false, until: day(3) } }] }),
  ];
  expect(answers.map(({ status }) => status)).toEqual([404, 422, 422, 422]);
  expect(await hashDatabase()).toBe(untouched);
});

it("returns the same changes for a retry with the same idempotency key", async () => {
  const shop = await aClient();
  const moderator = await aMember(shop);
  const { id } = await anOrder(shop.id, { items });
  const keyed = (key: string): RequestOptions => ({
    ...moderator,
    headers: { ...moderator.headers, "Idempotency-Key": key },
  });
  const first = await put(id, { held: true, items: ["a"] }, keyed("k-1"));
  expect(first.json.data).toMatchObject([{ id: "a", from: { held: false }, to: { held: true } }]);
  const again = await put(id, { held: true, items: ["a"] }, keyed("k-1"));
  expect(again).toMatchObject({ status: 200, json: first.json });
  expect((await put(id, { held: true, items: ["a"] }, moderator)).json.data).toEqual([]);
  const reversed = first.json.data.map(({ id, from, to }: HoldChange) => ({ id, from: to, to: from }));
  const undo = () =>
    call(holds, "PUT", `/portal/api/v1/orders/${id}/holds`, { ...keyed("k-2"), body: { items: reversed } });
  const undone = await undo();
  expect(undone.json.data).toEqual(reversed);
  expect((await undo()).json).toEqual(undone.json);
  expect(await heldOf(shop.client, id)).toEqual([]);
});
