import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { POST as upload } from "@/app/uploader/route";
import * as one from "@/app/v1/orders/[id]/route";
import * as orders from "@/app/v1/orders/route";
import * as reviews from "@/app/v1/reviews/route";
import { pool } from "@/lib/platform/db/pool";
import { personHash } from "@/lib/platform/secrets/person-hash";
import { call, type RequestOptions, type TestResponse } from "@/lib/tools/test/call";
import { uploadImage } from "@/lib/tools/test/collection-rows";
import {
  aClient,
  aKey,
  anOrder,
  aUser,
  hashDatabase,
  rowsOf,
  type TestClient,
  uniqueName,
} from "@/lib/tools/test/factories";
import { startProgram } from "@/lib/tools/test/program";

const input = (id: string, more: Record<string, unknown> = {}) => ({
  order: { id, customer: { id: `${id}-buyer`, email: `${id}@example.org` }, items: [{ id: "sku-1" }], ...more },
});

/** Posts with a key. */
const post = (
  shop: Pick<TestClient, "key">,
  key: string,
  body: unknown,
  { headers, ...sent }: RequestOptions = {},
  query = "",
) =>
  call(orders, "POST", `/v1/orders${query}`, {
    key: shop.key,
    body,
    headers: { "Idempotency-Key": key, ...headers },
    ...sent,
  });

const replayed = ({ headers }: TestResponse): string | null => headers.get("idempotent-replayed");
/** One row for each write of an order, even if nothing changed: shows what happened twice. */
const writesOf = (clientId: string) => rowsOf("select order_id from writes_seen where client_id = $1", [clientId]);
beforeAll(async () => {
  await rowsOf(`create table writes_seen (client_id text, order_id text);
    create function see_write() returns trigger language plpgsql as $$
      begin insert into writes_seen values (new.client_id, new.id); return null; end $$;
    create trigger see_write after insert or update on orders for each row execute function see_write()`);
});
afterAll(async () => {
  await rowsOf("drop table writes_seen; drop function see_write cascade");
});

function expectRefusal(answer: TestResponse, status: number, code: string): void {
  expect({ status: answer.status, code: answer.json.errors[0].code }).toEqual({ status, code });
  expect(answer.json.errors[0].field).toBe("Idempotency-Key");
}

describe("the same key with the same request", () => {
  it("returns the stored response and does nothing twice", async () => {
    const shop = await aClient();
    const id = uniqueName("order");
    const first = await post(shop, "k-1", input(id));
    expect({ status: first.status, replayed: replayed(first) }).toEqual({ status: 200, replayed: null });
    // Later changes don't show: the response is the one to the original request.
    await anOrder(shop.id, { id, customer: { id: `${id}-buyer`, name: "Grace" } });
    const before = await hashDatabase();
    const again = await post(shop, "k-1", input(id));
    expect({ status: again.status, text: again.text, replayed: replayed(again) }).toEqual({
      status: 200,
      text: first.text,
      replayed: "true",
    });
    expect(again.headers.get("content-type")).toBe(first.headers.get("content-type"));
    expect(again.headers.get("x-request-id")).not.toBe(first.headers.get("x-request-id"));
    expect(await hashDatabase()).toBe(before);
    expect(await writesOf(shop.id)).toHaveLength(2);
  });

  it("is recognized regardless of how the key is quoted and how the caller authenticates", async () => {
    const shop = await aClient();
    const body = input(uniqueName("order"));
    await post(shop, "a\\b", body);
    expect(replayed(await post(shop, '"a\\\\b"', body))).toBe("true");
    await post(shop, '"two words, a \\"quote\\""', body);
    expect(replayed(await post(shop, '"two words, a \\"quote\\""', body))).toBe("true");
    await post(shop, "k-1", body);
    expect(replayed(await post(shop, '"k-1"', body))).toBe("true");
    expect(replayed(await post(shop, "k-1", JSON.stringify(body, null, 2)))).toBe("true");
    expect(replayed(await post(shop, "k-1", body, {}, `?client_id=${shop.id}&unknown=1`))).toBe("true");
    const bySecret = await call(orders, "POST", `/v1/orders?token=${shop.key}`, {
      body,
      headers: { "Idempotency-Key": "k-1" },
    });
    expect(replayed(bySecret)).toBe("true");
  });

  it("doesn't return a stored response to unauthorized callers", async () => {
    const shop = await aClient();
    const body = input(uniqueName("order"));
    await post(shop, "k-1", body);
    await rowsOf("update api_keys set scopes = '{read}' where id = $1", [shop.keyId]);
    await expect.poll(async () => (await post(shop, "k-1", body)).status).toBe(403);
  });

  it("is remembered for a day", async () => {
    const shop = await aClient();
    const id = uniqueName("order");
    await post(shop, "k-1", input(id));
    const age = (hours: number) =>
      rowsOf("update idempotency_keys set created_at = now() - $1 * interval '1 minute'", [hours * 60]);
    await age(23.9);
    expect(replayed(await post(shop, "k-1", input(id)))).toBe("true");
    await age(24.1);
    const other = await post(shop, "k-1", input(id, { store_name: "North" }));
    expect({ status: other.status, replayed: replayed(other) }).toEqual({ status: 200, replayed: null });
    expect(replayed(await post(shop, "k-1", input(id, { store_name: "North" })))).toBe("true");
  });
});

describe("a review with a key", () => {
  const add = (shop: TestClient, key: string, review: Record<string, unknown>) =>
    call(reviews, "POST", "/v1/reviews", { key: shop.key, body: { review }, headers: { "Idempotency-Key": key } });
  const review = { author: "Ada", score: 5, extract: "Warm light.", order: { item: { id: "sku-1" } } };
  const idsOf = async (shop: TestClient) =>
    (await rowsOf("select id from reviews where client_id = $1", [shop.id])).map(({ id }) => id);

  it("is added once, although it has no id from the caller", async () => {
    const shop = await aClient();
    const answers = [];
    for (let time = 0; time < 3; time += 1) answers.push(await add(shop, "k-1", review));
    expect(answers.map((answer) => [answer.status, replayed(answer)])).toEqual([
      [201, null],
      [201, "true"],
      [201, "true"],
    ]);
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect(await idsOf(shop)).toEqual([answers[0]?.json.data.id]);
    expect((await add(shop, "k-2", review)).json.data.id).not.toBe(answers[0]?.json.data.id);
  });

  it("is committed with its order and image, or rolled back with them", async () => {
    const shop = await aClient();
    const picture = await sharp({ create: { width: 8, height: 6, channels: 3, background: "#c33" } })
      .jpeg()
      .toBuffer();
    const image = new Blob([new Uint8Array(picture)]);
    const { token, ...size } = await (await uploadImage(upload, shop.id, image, "a.jpg", shop.publicKey)).json();
    const id = uniqueName("order");
    const whole = {
      ...review,
      order: { id, customer: { id: "c-1" }, item: { id: "sku-1" } },
      images: [{ token, ...size }],
    };
    expect((await add(shop, "k-1", { ...whole, images: [{ token: "0".repeat(32), ...size }] })).status).toBe(422);
    expect(await idsOf(shop)).toEqual([]);
    const [first, again] = [await add(shop, "k-1", whole), await add(shop, "k-1", whole)];
    expect([first.status, again.status, replayed(again)]).toEqual([201, 201, "true"]);
    expect(first.json.data).toMatchObject({ order_id: id, images: [{ token }] });
    expect(again.text).toBe(first.text);
    expect((await call(one, "GET", `/v1/orders/${id}`, { key: shop.key })).status).toBe(200);
  });

  it("is updated by its external_id as without a key", async () => {
    const shop = await aClient();
    const given = { ...review, external_id: "e-1" };
    const [first] = [await add(shop, "k-1", given)];
    const second = await add(shop, "k-2", { external_id: "e-1", score: 1 });
    expect([first.status, second.status]).toEqual([201, 200]);
    expect(second.json.data).toMatchObject({ id: first.json.data.id, score: 1, author: "Ada" });
    // The first request again gets the first response again, and doesn't undo the update.
    expect((await add(shop, "k-1", given)).json.data.score).toBe(5);
    expect(await rowsOf("select score from reviews where client_id = $1", [shop.id])).toEqual([{ score: 1 }]);
    const both = await Promise.all([add(shop, "k-3", given), add(shop, "k-4", given), add(shop, "k-5", given)]);
    expect(both.map(({ status }) => status)).toEqual([200, 200, 200]);
  });
});

describe("a key", () => {
  it("is rejected for a different request, which changes nothing", async () => {
    const shop = await aClient();
    const id = uniqueName("order");
    await post(shop, "k-1", input(id));
    const before = await hashDatabase();
    const elsewhere = { key: shop.key, body: input(id), headers: { "Idempotency-Key": "k-1" } };
    expectRefusal(await call(reviews, "POST", "/v1/reviews", elsewhere), 422, "idempotency_key_reused");
    for (const body of [input(uniqueName("order")), input(id, { store_name: "North" }), { order: { id } }, {}])
      expectRefusal(await post(shop, "k-1", body), 422, "idempotency_key_reused");
    expect(await hashDatabase()).toBe(before);
  });

  it("is scoped to the caller and the client", async () => {
    const shop = await aClient();
    const other = await aClient();
    const both = { key: (await aKey([shop.id, other.id])).secret };
    const { basic } = await aUser("admin", { clients: [shop.id] });
    const body = input(uniqueName("order"));
    const answers = [
      await post(shop, "k-1", body),
      await post({ key: (await aKey([shop.id])).secret }, "k-1", input(uniqueName("order"))),
      await post(both, "k-1", body, {}, `?client_id=${shop.id}`),
      await post(both, "k-1", body, {}, `?client_id=${other.id}`),
      await post({ key: "" }, "k-1", body, { basic }),
    ];
    expect(answers.map((answer) => [answer.status, replayed(answer)])).toEqual(answers.map(() => [200, null]));
    expect(replayed(await post(both, "k-1", body, {}, `?client_id=${other.id}`))).toBe("true");
  });

  it("is validated", async () => {
    const shop = await aClient();
    const before = await hashDatabase();
    for (const key of ["", '""', '"', '"a', 'a"', "a b", "a, b", '"a", "b"', "é", '"é"', "k".repeat(256), '"\\a"'])
      expectRefusal(await post(shop, key, input(uniqueName("order"))), 400, "invalid_parameter");
    expect(await hashDatabase()).toBe(before);
    expect((await post(shop, "k".repeat(255), input(uniqueName("order")))).status).toBe(200);
  });

  it("can be reused after a rejected request, which did nothing", async () => {
    const shop = await aClient();
    const id = uniqueName("order");
    expect((await post(shop, "k-1", { order: { id } })).status).toBe(422);
    expect((await post(shop, "k-1", "{")).status).toBe(400);
    const right = await post(shop, "k-1", input(id));
    expect({ status: right.status, replayed: replayed(right) }).toEqual({ status: 200, replayed: null });
  });

  it("is ignored for other methods than POST, and costs nothing if absent", async () => {
    const shop = await aClient();
    const { id } = await anOrder(shop.id);
    const read = await call(one, "GET", `/v1/orders/${id}`, { key: shop.key, headers: { "Idempotency-Key": "" } });
    expect({ status: read.status, replayed: replayed(read) }).toEqual({ status: 200, replayed: null });
    await call(orders, "POST", "/v1/orders", { key: shop.key, body: input(uniqueName("order")) });
    expect(await rowsOf("select from idempotency_keys where client_id = $1", [shop.id])).toEqual([]);
  });
});

describe("concurrent requests", () => {
  it("with one key take effect once; the others get a conflict with Retry-After", async () => {
    const shop = await aClient();
    const body = input(uniqueName("order"));
    const answers = await Promise.all(Array.from({ length: 30 }, () => post(shop, "k-1", body)));
    expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThanOrEqual(1);
    expect(new Set(answers.filter(({ status }) => status === 200).map(({ text }) => text)).size).toBe(1);
    expect(answers.filter((answer) => answer.status === 200 && replayed(answer) === null)).toHaveLength(1);
    for (const waiting of answers.filter(({ status }) => status !== 200)) {
      expectRefusal(waiting, 409, "conflict");
      expect(waiting.headers.get("retry-after")).toBe("1");
    }
    expect(await writesOf(shop.id)).toHaveLength(1);
  });

  it("with many keys don't deadlock", async () => {
    const shop = await aClient();
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, index) => post(shop, `k-${index}`, input(uniqueName("order")))),
    );
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
  });
});

describe("the stored response and its changes", () => {
  it("are rolled back together if the response can't be stored", async () => {
    const shop = await aClient();
    const id = uniqueName("order");
    await rowsOf(`create function refuse_answer() returns trigger language plpgsql as $$ begin raise 'no room'; end $$;
      create trigger refuse_answer before insert on idempotency_keys for each row execute function refuse_answer()`);
    const before = await hashDatabase();
    try {
      expect((await post(shop, "k-1", input(id))).status).toBe(500);
      expect(await hashDatabase()).toBe(before);
    } finally {
      await rowsOf("drop function refuse_answer cascade");
    }
    expect(replayed(await post(shop, "k-1", input(id)))).toBeNull();
    expect(await writesOf(shop.id)).toHaveLength(1);
  });

  it("are both stored or neither after kill -9 between them", async () => {
    const shop = await aClient();
    const id = uniqueName("order");
    const body = input(id);
    const isRunning = async () =>
      (
        await rowsOf(
          `select from pg_stat_activity
            where datname = current_database() and state = 'active' and query like 'insert into idempotency_keys%'`,
        )
      ).length > 0;
    const gate = await pool().connect();
    try {
      await gate.query("select pg_advisory_lock(77)");
      await rowsOf(`create function linger() returns trigger language plpgsql as $$ begin perform pg_advisory_xact_lock(77); return new; end $$;
        create trigger linger before insert on idempotency_keys for each row execute function linger()`);
      const child = startProgram("lib/tools/test/post-order-process.ts", [shop.key, "k-1", JSON.stringify(body)]);
      await expect.poll(isRunning, { timeout: 14_000, interval: 20 }).toBe(true);
      await child.kill();
      // The order is written but not committed; the database hasn't noticed the dead connection yet.
      expectRefusal(await post(shop, "k-1", body), 409, "conflict");
      await gate.query("select pg_advisory_unlock(77)");
      await expect.poll(isRunning).toBe(false);
    } finally {
      gate.release(true);
      await rowsOf("drop function if exists linger cascade");
    }
    expect((await call(one, "GET", `/v1/orders/${id}`, { key: shop.key })).status).toBe(404);
    expect(await writesOf(shop.id)).toEqual([]);
    const again = await post(shop, "k-1", body);
    expect({ status: again.status, replayed: replayed(again) }).toEqual({ status: 200, replayed: null });
    expect(await writesOf(shop.id)).toHaveLength(1);
  }, 40_000);

  it("are found by the person they contain, and are deleted with the client", async () => {
    const shop = await aClient();
    const id = uniqueName("order");
    await post(shop, "k-1", input(id));
    const rows = await rowsOf("select scope, key, body_hash, people from idempotency_keys where client_id = $1", [
      shop.id,
    ]);
    expect(rows[0].people).toEqual(
      [personHash(shop.id, "customer", `${id}-buyer`), personHash(shop.id, "email", `${id}@example.org`)].sort(),
    );
    // Only the response itself contains the person's id.
    expect(JSON.stringify(rows)).not.toContain(id);
    await rowsOf("delete from clients where id = $1", [shop.id]);
    expect(await rowsOf("select from idempotency_keys where client_id = $1", [shop.id])).toEqual([]);
  });
});
