import { expect, it } from "vitest";
import * as hold from "@/app/portal/api/v1/orders/[id]/hold/route";
import * as order from "@/app/v1/orders/[id]/route";
import { explainOrder } from "@/lib/invitations/explain-order";
import { getOrderStory } from "@/lib/orders/get-order-story";
import { call, type Sent } from "@/lib/test/call";
import { aClient, aMember, anOrder, fingerprint } from "@/lib/test/factories";

const delivery_date = new Date().toISOString().slice(0, 10);
const items = ["a", "b", "c"].map((id) => ({ id, name: id, delivery_date }));
const put = (id: string, body: unknown, sent: Sent) =>
  call(hold, "PUT", `/portal/api/v1/orders/${encodeURIComponent(id)}/hold`, { ...sent, body });
const heldOf = async (client: { id: string }, id: string) => (await getOrderStory(client, id)).held;

it("holds items back and lets them go, as often as it is asked, and the plan says so", async () => {
  const shop = await aClient();
  const moderator = await aMember(shop);
  const { id } = await anOrder(shop.id, { id: "O/1 ä", items });
  const asked = () => call(order, "GET", `/v1/orders/${encodeURIComponent(id)}`, { key: shop.key });
  const before = (await asked()).text;
  expect((await put(id, { held: true, items: ["b", "b"] }, moderator)).status).toBe(204);
  expect((await put(id, { held: true, items: ["b"] }, moderator)).status).toBe(204);
  expect(await heldOf(shop, id)).toEqual(["b"]);
  expect((await explainOrder(shop.client, id)).get("b")).toMatchObject({ reason: "held" });
  expect((await explainOrder(shop.client, id)).get("a")).not.toMatchObject({ reason: "held" });
  expect((await put(id, { held: true }, moderator)).status).toBe(204);
  expect(await heldOf(shop, id)).toEqual(["a", "b", "c"]);
  expect((await put(id, { held: false, items: ["a", "c"] }, moderator)).status).toBe(204);
  expect(await heldOf(shop, id)).toEqual(["b"]);
  expect((await put(id, { held: false }, moderator)).status).toBe(204);
  expect(await heldOf(shop, id)).toEqual([]);
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
  ];
  expect(answers.map(({ status }) => status)).toEqual([403, 404, 404, 404, 404, 422, 422, 401]);
  expect(await fingerprint()).toBe(before);
});
