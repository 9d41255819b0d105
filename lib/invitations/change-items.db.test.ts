import { expect, it } from "vitest";
import * as exclusion from "@/app/portal/api/v1/orders/[id]/exclusion/route";
import * as exclusions from "@/app/portal/api/v1/orders/[id]/exclusions/route";
import * as hold from "@/app/portal/api/v1/orders/[id]/hold/route";
import * as send from "@/app/portal/api/v1/orders/[id]/send/route";
import * as erase from "@/app/v1/personal_data/delete/route";
import { addDays } from "@/lib/invitations/days";
import { explainOrder } from "@/lib/invitations/explain-order";
import { call, type RequestOptions } from "@/lib/tools/test/call";
import {
  aClient,
  aMember,
  anOrder,
  hashDatabase,
  rowsOf,
  someProducts,
  someReviews,
  type TestClient,
  uniqueName,
} from "@/lib/tools/test/factories";

const today = new Date().toISOString().slice(0, 10);
const put =
  (route: typeof hold | typeof exclusion | typeof exclusions, name: string) =>
  (id: string, body: object, sent: RequestOptions) =>
    call(route, "PUT", `/portal/api/v1/orders/${encodeURIComponent(id)}/${name}`, { ...sent, body });
const pause = put(hold, "hold");
const exclude = put(exclusion, "exclusion");
const undo = put(exclusions, "exclusions");
const notesOf = (shop: TestClient, id: string) =>
  rowsOf("select action, actor_id from item_notes where client_id = $1 and order_id = $2 order by id", [shop.id, id]);

type Made = { shop: TestClient; id: string; email: string };

/** Each state of an item, how it comes about, and the actions that fit it, for a store that invites after a week. */
const states: [state: string, made: (made: Made) => Promise<unknown>, actions: string[], delivered?: number][] = [
  ["due now", async () => {}, ["send", "pause", "exclude"], -8],
  ["delivered, but too early", async () => {}, ["send", "pause", "exclude"], -1],
  ["not delivered yet", async () => {}, ["pause", "exclude"], 5],
  ["without a delivery date", (made) => change(made, "delivery_date = null"), ["pause", "exclude"]],
  [
    "paused until a day",
    (made) => change(made, `held_at = now(), held_until = current_date + 9`),
    ["resume", "exclude"],
  ],
  ["paused indefinitely", (made) => change(made, "held_at = now(), held_until = null"), ["resume", "exclude"]],
  [
    "paused until a day that is over",
    (made) => change(made, "held_at = now(), held_until = current_date - 2"),
    ["send", "pause", "exclude"],
  ],
  ["excluded", (made) => change(made, "reviewable = false, reviewable_set = false"), ["include"]],
  ["not in the catalog", (made) => change(made, "reviewable = false, reviewable_set = null"), ["include"]],
  ["removed from the catalog", ({ shop }) => someProducts(shop.id, [{ id: "lamp", deleted: true }]), []],
  ["claimed, but not sent", (made) => invite(made, "'claimed', null"), ["pause", "exclude"]],
  ["invited", (made) => invite(made, "'sent', now()"), []],
  ["invited in vain", (made) => invite(made, "'failed', null"), []],
  ["reviewed", ({ shop, id }) => someReviews(shop.id, [{ order_id: id, product_id: "lamp" }]), []],
  ["of a customer who opted out", ({ shop }) => changeRows("customers", "opt_out_by_order = true", shop), []],
  ["of an address that bounces", (made) => suppress(made), []],
  [
    "without an address",
    ({ shop }) => changeRows("customers", "email = null, email_key = null, email_hash = null", shop),
    ["pause", "exclude"],
  ],
  ["past its window", async () => {}, [], -400],
  ["excluded and past its window", (made) => change(made, "reviewable = false, reviewable_set = false"), [], -400],
  [
    "of a customer in the cooldown",
    ({ shop }) =>
      rowsOf(
        "insert into quarantines (client_id, person_hash, last_day) select client_id, id_hash, current_date from customers where client_id = $1",
        [shop.id],
      ),
    ["pause", "exclude"],
  ],
];

const changeRows = (table: string, set: string, { id }: TestClient) =>
  rowsOf(`update ${table} set ${set} where client_id = $1`, [id]);
const change = ({ shop }: Made, set: string) => changeRows("order_items", set, shop);
async function invite({ shop, id }: Made, status: string) {
  await rowsOf(
    `insert into invitations (client_id, id, day, status, sent_at) values ($1, 'inv', current_date, ${status})`,
    [shop.id],
  );
  await rowsOf("insert into invitation_items values ($1, 'inv', $2, 'lamp', 0)", [shop.id, id]);
}
const suppress = ({ shop }: Made) =>
  rowsOf(
    "insert into suppressions (client_id, email_hash, reason) select client_id, email_hash, 'bounce' from customers where client_id = $1",
    [shop.id],
  );

/** What each action sends; `send` answers with the reason instead of refusing. */
const calls = {
  pause: (id: string, sent: RequestOptions) => pause(id, { held: true, items: ["lamp"] }, sent),
  exclude: (id: string, sent: RequestOptions) => exclude(id, { excluded: true, items: ["lamp"] }, sent),
  include: (id: string, sent: RequestOptions) => exclude(id, { excluded: false, items: ["lamp"] }, sent),
};
/** Actions whose result an item already has: accepted, without an effect. All but one state are included. */
const already: Record<string, string[]> = {
  pause: ["paused indefinitely"],
  exclude: ["excluded", "excluded and past its window"],
};

it.each(states)(
  "offers and accepts only actions that fit an item that is %s",
  async (state, make, actions, delivered = -8) => {
    const shop = await aClient({ send_emails_after_days: 7, quarantine_period: 30 });
    const admin = await aMember(shop, "admin");
    const email = `${uniqueName("ada")}@x.example`;
    const items = [{ id: "lamp", name: "Lamp", delivery_date: addDays(today, delivered) }];
    const { id } = await anOrder(shop.id, { customer: { id: uniqueName("c"), email }, items });
    await make({ shop, id, email });
    expect((await explainOrder(shop.client, id)).get("lamp")?.actions).toEqual(actions);
    for (const [action, request] of Object.entries(calls)) {
      if (actions.includes(action) || (action === "include" && actions.includes("exclude"))) continue;
      if (state === "paused until a day" && action === "pause") continue; // extends the pause
      const before = await hashDatabase();
      const { status, json } = await request(id, admin);
      const isSo = action === "include" ? state !== "excluded and past its window" : already[action]?.includes(state);
      expect([action, status]).toEqual([action, isSo ? 200 : 409]);
      if (isSo) expect(json.data).toEqual([]);
      else {
        expect(json.errors[0]).toMatchObject({ code: "conflict", message: expect.stringMatching(/\w+\.$/) });
        expect(await hashDatabase()).toBe(before);
      }
    }
    const { status, json } = await call(send, "POST", `/portal/api/v1/orders/${id}/send`, {
      ...admin,
      body: { items: ["lamp"] },
    });
    expect([status, json.data.sent.length]).toEqual([200, actions.includes("send") ? 1 : 0]);
    if (!actions.includes("send")) expect(json.data.held[0].sentence).toMatch(/\.$/);
  },
);

it("excludes and includes once for repeated and concurrent calls, with person and time in the timeline", async () => {
  const shop = await aClient();
  const admin = await aMember(shop, "admin");
  const items = ["a", "b"].map((id) => ({ id, name: id, delivery_date: today }));
  const { id } = await anOrder(shop.id, { id: "O/1 ä", items });
  const answers = await Promise.all([1, 2, 3].map(() => exclude(id, { excluded: true, items: ["a", "a"] }, admin)));
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
  expect(answers.flatMap(({ json }) => json.data)).toEqual([
    { id: "a", from: { reviewable: true, override: null }, to: { reviewable: false, override: false } },
  ]);
  expect((await exclude(id, { excluded: true, items: ["a"] }, admin)).json.data).toEqual([]);
  const excluded = (await explainOrder(shop.client, id)).get("a");
  expect(excluded).toMatchObject({
    reason: "not_reviewable",
    sentence: "Not sent: the item is excluded from invitations.",
    actions: ["include"],
  });
  expect(excluded?.timeline).toContainEqual({
    day: today,
    at: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
    text: expect.stringMatching(/^Excluded from invitations by .+\.$/),
    ahead: false,
  });
  expect((await explainOrder(shop.client, id)).get("b")?.actions).toContain("exclude");
  const again = await Promise.all([1, 2].map(() => exclude(id, { excluded: false, items: ["a"] }, admin)));
  expect(again.flatMap(({ json }) => idsOf(json.data))).toEqual(["a"]);
  expect((await explainOrder(shop.client, id)).get("a")?.timeline.map(({ text }) => text)).toContainEqual(
    expect.stringMatching(/^Invitations allowed again by .+\.$/),
  );
  expect((await notesOf(shop, id)).map(({ action }) => action)).toEqual(["excluded", "included"]);
  expect(
    await rowsOf("select action, subject, detail from audit_entries where client_id = $1 order by id", [shop.id]),
  ).toEqual([
    { action: "order.excluded", subject: id, detail: { items: ["a"] } },
    { action: "order.included", subject: id, detail: { items: ["a"] } },
  ]);
  // All items of the order.
  expect(idsOf((await exclude(id, { excluded: true }, admin)).json.data)).toEqual(["a", "b"]);
});

/** Items of a store that also sends seller-only invitations, and the action whose undo must restore them. */
const undone: [state: string, make: (made: Made) => Promise<unknown>, excluded: boolean][] = [
  ["in the catalog", async () => {}, true],
  ["not in the catalog", (made) => change(made, "reviewable = false, reviewable_set = null"), true],
  ["set by the merchant", (made) => change(made, "reviewable_set = true"), true],
  ["removed from the catalog", ({ shop }) => someProducts(shop.id, [{ id: "lamp", deleted: true }]), true],
  ["invited for, though not in the catalog", (made) => change(made, "reviewable = false"), false],
  ["excluded by the merchant", (made) => change(made, "reviewable = false, reviewable_set = false"), false],
];

it.each(undone)("restores an item that was %s, whichever invitation it gets", async (_, make, excluded) => {
  const settings = { send_emails_after_days: 7, collect_seller_reviews: true, config: { seller_only: true } };
  const shop = await aClient(settings);
  const admin = await aMember(shop, "admin");
  const items = [{ id: "lamp", name: "Lamp", delivery_date: addDays(today, -1) }];
  const email = `${uniqueName("ada")}@x.example`;
  const { id } = await anOrder(shop.id, { customer: { id: uniqueName("c"), email }, items });
  await make({ shop, id, email });
  const state = async () => {
    const [row] = await rowsOf("select reviewable, reviewable_set from order_items where client_id = $1", [shop.id]);
    const { sentence, actions } = (await explainOrder(shop.client, id)).get("lamp")!;
    return { row, sentence, actions };
  };
  const before = await state();
  const { status, json } = await exclude(id, { excluded, items: ["lamp"] }, admin);
  expect(status).toBe(200);
  const changed = await state();
  expect(changed.row).not.toEqual(before.row);
  // The other button fits as well, whatever the item was before.
  expect(changed.actions).toContain(excluded ? "include" : "exclude");
  const swapped = json.data.map(({ id: item, from, to }: Swappable) => ({ id: item, from: to, to: from }));
  const back = await undo(id, { items: swapped }, admin);
  expect([back.status, back.json.data]).toEqual([200, swapped]);
  expect(await state()).toEqual(before);
  expect((await notesOf(shop, id)).map(({ action }) => action)).toEqual(
    excluded ? ["excluded", "included"] : ["included", "excluded"],
  );
  // A second undo finds another state and changes nothing.
  const all = await hashDatabase();
  expect((await undo(id, { items: swapped }, admin)).json.data).toEqual([]);
  expect(await hashDatabase()).toBe(all);
});

type Swappable = { id: string; from: unknown; to: unknown };
const idsOf = (changes: Swappable[]) => changes.map(({ id }) => id);

it("undoes nothing without permission, for another store's order, or to a state that can't be", async () => {
  const [shop, other] = [await aClient(), await aClient()];
  const items = [{ id: "a", name: "a", delivery_date: today }];
  const [{ id }, foreign] = [await anOrder(shop.id, { items }), await anOrder(other.id, { items })];
  const [admin, moderator] = [await aMember(shop, "admin"), await aMember(shop, "moderator")];
  const from = { reviewable: true, override: null };
  const to = { reviewable: false, override: false };
  const before = await hashDatabase();
  const answers = [
    await undo(id, { items: [{ id: "a", from, to }] }, moderator),
    await undo(foreign.id, { items: [{ id: "a", from, to }] }, admin),
    await undo(id, { items: [{ id: "x", from, to }] }, admin),
    await undo(id, { items: [{ id: "a", from, to: { reviewable: true, override: false } }] }, admin),
    await undo(id, { items: [1, 2].map(() => ({ id: "a", from, to })) }, admin),
    await undo(id, { items: [] }, admin),
  ];
  expect(answers.map(({ status }) => status)).toEqual([403, 404, 404, 422, 422, 422]);
  expect(await hashDatabase()).toBe(before);
});

it("skips items that an action doesn't fit, and keeps the others of the order", async () => {
  const shop = await aClient();
  const admin = await aMember(shop, "admin");
  const items = ["lamp", "rug"].map((id) => ({ id, name: id, delivery_date: today }));
  const { id } = await anOrder(shop.id, { items });
  await invite({ shop, id, email: "" }, "'sent', now()");
  expect((await pause(id, { held: true }, admin)).json.data.map(({ id }: { id: string }) => id)).toEqual(["rug"]);
  expect(idsOf((await exclude(id, { excluded: true }, admin)).json.data)).toEqual(["rug"]);
});

it("changes nothing without permission, for another store's or an erased order, or for a missing item", async () => {
  const [shop, other] = [await aClient(), await aClient()];
  const items = [{ id: "a", name: "a", delivery_date: today }];
  const { id } = await anOrder(shop.id, { items });
  const foreign = await anOrder(other.id, { items });
  const erased = await anOrder(shop.id, { items, customer: { id: "erased", email: "erased@x.example" } });
  const erasure = await call(erase, "POST", "/v1/personal_data/delete", {
    key: shop.key,
    body: { email: "erased@x.example" },
  });
  expect(erasure.status).toBe(204);
  const [admin, moderator] = [await aMember(shop, "admin"), await aMember(shop, "moderator")];
  const before = await hashDatabase();
  const answers = [
    await exclude(id, { excluded: true }, moderator),
    await exclude(foreign.id, { excluded: true }, admin),
    await exclude(erased.id, { excluded: true }, admin),
    await exclude("none", { excluded: true }, admin),
    await exclude(id, { excluded: true, items: ["a", "x"] }, admin),
    await exclude(id, { excluded: true, items: [] }, admin),
    await exclude(id, { excluded: "yes" }, admin),
    await exclude(id, { excluded: true }, { key: shop.key }),
  ];
  expect(answers.map(({ status }) => status)).toEqual([403, 404, 404, 404, 404, 422, 422, 401]);
  expect(await hashDatabase()).toBe(before);
});
