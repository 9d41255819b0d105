import { expect, it } from "vitest";
import * as hold from "@/app/portal/api/v1/orders/[id]/hold/route";
import * as order from "@/app/v1/orders/[id]/route";
import type { ClientRow } from "@/lib/clients/get-client";
import { withNow } from "@/lib/clock";
import { addDays } from "@/lib/invitations/days";
import { explainOrder } from "@/lib/invitations/explain-order";
import { getOrderStory } from "@/lib/orders/get-order-story";
import { call, type Sent } from "@/lib/test/call";
import { aClient, aMember, anOrder, fingerprint, rowsOf } from "@/lib/test/factories";

const delivery_date = new Date().toISOString().slice(0, 10);
const items = ["a", "b", "c"].map((id) => ({ id, name: id, delivery_date }));
const put = (id: string, body: unknown, sent: Sent) =>
  call(hold, "PUT", `/portal/api/v1/orders/${encodeURIComponent(id)}/hold`, { ...sent, body });
const heldOf = async (client: ClientRow, id: string) =>
  (await getOrderStory(client, id)).held.map(({ item_id }) => item_id);

it("holds items back and lets them go, as often as it is asked, and the plan says so", async () => {
  const shop = await aClient();
  const moderator = await aMember(shop);
  const { id } = await anOrder(shop.id, { id: "O/1 ä", items });
  const asked = () => call(order, "GET", `/v1/orders/${encodeURIComponent(id)}`, { key: shop.key });
  const before = (await asked()).text;
  expect((await put(id, { held: true, items: ["b", "b"] }, moderator)).status).toBe(204);
  expect((await put(id, { held: true, items: ["b"] }, moderator)).status).toBe(204);
  expect(await heldOf(shop.client, id)).toEqual(["b"]);
  expect((await explainOrder(shop.client, id)).get("b")).toMatchObject({ reason: "held" });
  expect((await explainOrder(shop.client, id)).get("a")).not.toMatchObject({ reason: "held" });
  expect((await put(id, { held: true }, moderator)).status).toBe(204);
  expect(await heldOf(shop.client, id)).toEqual(["a", "b", "c"]);
  expect((await put(id, { held: false, items: ["a", "c"] }, moderator)).status).toBe(204);
  expect(await heldOf(shop.client, id)).toEqual(["b"]);
  expect((await put(id, { held: false }, moderator)).status).toBe(204);
  expect(await heldOf(shop.client, id)).toEqual([]);
  // Readers of the API see nothing of it, and need not fetch the order again.
  expect((await asked()).text).toBe(before);
});

it("changes nothing for those who may not, of another client, or where an item is not there", async () => {
  const [shop, other] = [await aClient(), await aClient()];
  const { id } = await anOrder(shop.id, { items });
  const foreign = await anOrder(other.id, { items });
  const empty = await anOrder(shop.id, { items: [] });
  const [viewer, moderator] = [await aMember(shop, "viewer"), await aMember(shop)];
  const before = await fingerprint();
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
  expect(await fingerprint()).toBe(before);
});

it("holds items back until a day, says so in words, and keeps who decided what", async () => {
  const shop = await aClient();
  const moderator = await aMember(shop, "moderator");
  const { id } = await anOrder(shop.id, { items });
  const until = addDays(delivery_date, 30);
  const told = async () => (await explainOrder(shop.client, id)).get("a");
  const present = (await told())?.day;
  for (const _ of [1, 2]) expect((await put(id, { held: true, until, items: ["a"] }, moderator)).status).toBe(204);
  expect((await getOrderStory(shop.client, id)).held).toEqual([{ item_id: "a", until }]);
  const held = await told();
  expect(held).toMatchObject({ reason: "held", until, day: until });
  expect(held?.sentence).toMatch(/^Will be sent on .+: somebody holds it back until .+\.$/);
  expect(held?.timeline).toContainEqual(
    expect.objectContaining({ text: expect.stringMatching(/^Held back by .+ until /), ahead: false }),
  );
  expect(held?.timeline).toContainEqual({ day: until, at: null, text: "It is no longer held back.", ahead: true });
  // On that day it is free by itself.
  await withNow(new Date(`${until}T12:00:00Z`), async () => {
    expect(await heldOf(shop.client, id)).toEqual([]);
    expect(await told()).toMatchObject({ reason: null });
  });
  // For good instead, and free again.
  expect((await put(id, { held: true, items: ["a"] }, moderator)).status).toBe(204);
  expect(await told()).toMatchObject({ reason: "held", until: null, day: null });
  expect((await put(id, { held: false, items: ["a"] }, moderator)).status).toBe(204);
  const free = await told();
  expect(free?.day).toBe(present);
  const words = free?.timeline.filter(({ text }) => /held|let go/i.test(text)).map(({ text }) => text.split(" by ")[0]);
  expect(words).toEqual(["Held back", "Held back for good", "Let go"]);
  const audit = await rowsOf("select action, subject, detail from audit_entries where client_id = $1 order by id", [
    shop.id,
  ]);
  expect(audit).toEqual([
    { action: "order.held", subject: id, detail: { items: ["a"], until } },
    { action: "order.held", subject: id, detail: { items: ["a"], until: null } },
    { action: "order.released", subject: id, detail: { items: ["a"] } },
  ]);
});
