import { execFile } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, symlinkSync } from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, expectTypeOf, it } from "vitest";
import { routes } from "@/app/_routes";
import type { Order as OrderSchema } from "@/lib/orders/schema";
import { pool } from "@/lib/platform/db/pool";
import type { Review as ReviewSchema } from "@/lib/reviews/reviews/schema";
import { root } from "@/lib/tools/launch/bootstrap.mjs";
import { aClient, rowsOf, someProducts, someReviews, type TestClient, uniqueName } from "@/lib/tools/test/factories";
import { temporaryFolder } from "@/lib/tools/test/temporary-folder";
import { serve } from "@/lib/tools/test/test-server";
import {
  type CandorClient,
  CandorError,
  createCandorClient,
  iterateRows,
  type Order,
  type Review,
  unwrap,
} from "./client.ts";
import { emptyCopy, type ReviewCopy, synchronize } from "./examples/synchronize.ts";

// The typed client against the real server.

let server: Awaited<ReturnType<typeof serve>>;
let origin: string;
beforeAll(async () => {
  server = await serve(routes);
  origin = `http://127.0.0.1:${server.port}`;
});
afterAll(() => server.close());

const clientOf = (shop: TestClient): CandorClient => createCandorClient({ origin, key: shop.key });

async function collect<T>(rows: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const row of rows) all.push(row);
  return all;
}

describe("typed client", () => {
  it("has the types of the contracts", () => {
    expectTypeOf<Review>().toEqualTypeOf<ReviewSchema>();
    expectTypeOf<Order>().toEqualTypeOf<OrderSchema>();
    type Filter = NonNullable<Parameters<typeof iterateRows<"/v1/reviews">>[2]>;
    expectTypeOf<Filter["moderation_status"]>().toEqualTypeOf<"accepted" | "rejected" | "pending" | undefined>();
    // @ts-expect-error: not a list
    expectTypeOf(iterateRows<"/v1/reviews/{id}">);
    const withoutCustomer = (client: CandorClient) =>
      // @ts-expect-error: an order needs a customer
      client.POST("/v1/orders", { body: { order: { id: "1" } } });
    expectTypeOf(withoutCustomer).parameter(0).toEqualTypeOf<CandorClient>();
  });

  it("posts an order, and reads it back by an id that needs escaping", async () => {
    const shop = await aClient();
    const client = clientOf(shop);
    const id = `${uniqueName("order")}/50% ü`;
    const body = { order: { id, customer: { id: "c-1" }, items: [{ id: "sku-1", delivery_date: "2026-05-08" }] } };
    const posted = await unwrap(client.POST("/v1/orders", { body }));
    expect(posted.data[0]?.items[0]).toMatchObject({ id: "sku-1", delivery_date: "2026-05-08", reviewable: false });
    const read = await unwrap(client.GET("/v1/orders/{id}", { params: { path: { id } } }));
    expect(read.data).toEqual(posted.data[0]);
  });

  it("throws CandorError with every issue", async () => {
    const client = clientOf(await aClient());
    const wrong = { order: { id: "", customer: { id: "c-1" }, items: [{ id: "s", delivery_date: "soon" }] } };
    const apiError = await unwrap(client.POST("/v1/orders", { body: wrong })).catch((error) => error);
    expect(apiError).toBeInstanceOf(CandorError);
    expect(apiError).toMatchObject({ status: 422, name: "CandorError" });
    expect(apiError.issues.map(({ field }: { field: string }) => field)).toEqual([
      "order.id",
      "order.items[0].delivery_date",
    ]);
    const stranger = createCandorClient({ origin, key: "sk_wrong" });
    await expect(collect(iterateRows(stranger, "/v1/reviews", {}))).rejects.toMatchObject({
      status: 401,
      issues: [{ code: "unauthorized" }],
    });
  });

  it("iterates filtered lists page by page", async () => {
    const shop = await aClient();
    const client = clientOf(shop);
    const skus = await someProducts(
      shop.id,
      Array.from({ length: 7 }, () => ({ family_id: "lamps" })),
    );
    await someProducts(shop.id, [{ family_id: "other" }]);
    const products = await collect(iterateRows(client, "/v1/products", { family_id: "lamps", limit: 2 }));
    expect(products.map(({ id }) => id)).toEqual([...skus].sort());
    await someReviews(shop.id, [{ accepted: true }, {}, { accepted: false }]);
    const pending = await collect(iterateRows(client, "/v1/reviews", { moderation_status: "pending", limit: 1 }));
    expect(pending.map(({ accepted }) => accepted)).toEqual([null]);
  });
});

describe("synchronization example", () => {
  /** All reviews of the server, from a full fetch. */
  const fetchAllReviews = async (shop: TestClient): Promise<ReviewCopy["reviews"]> =>
    Object.fromEntries(
      (await collect(iterateRows(clientOf(shop), "/v1/reviews", {}))).map((review) => [review.id, review]),
    );
  const day = (n: number) => new Date(Date.UTC(2027, 0, n));

  it("fetches all, then changes, and weekly removes deleted rows", async () => {
    const shop = await aClient();
    const requestedUrls: URL[] = [];
    const client = createCandorClient({
      origin,
      key: shop.key,
      fetch: (request) => {
        requestedUrls.push(new URL(request.url));
        return fetch(request);
      },
    });
    const old = new Date(Date.now() - 3_600_000);
    const ids = await someReviews(
      shop.id,
      Array.from({ length: 5 }, () => ({ created_at: old, updated_at: old })),
    );
    let copy = await synchronize(client, emptyCopy, { limit: 2 }, day(1));
    expect(copy.reviews).toEqual(await fetchAllReviews(shop));
    expect(copy.lastFullFetch).toBe(day(1).toISOString());
    expect(requestedUrls.map((url) => url.searchParams.has("after"))).toEqual([false, true, true]);

    await clientOf(shop).PUT("/v1/reviews/{id}", {
      params: { path: { id: ids[1] ?? "" } },
      body: { review: { accepted: true } },
    });
    await someReviews(shop.id, [{}]);
    await pool().query("delete from reviews where client_id = $1 and id = $2", [shop.id, ids[4]]);
    requestedUrls.length = 0;
    copy = await synchronize(client, copy, {}, day(2));
    expect(requestedUrls.map((url) => url.searchParams.get("updated_after"))).toEqual([
      old.toISOString().replace(/\.\d+/, ""),
    ]);
    const now = await fetchAllReviews(shop);
    expect(copy.reviews).toEqual({ ...now, [ids[4] ?? ""]: expect.objectContaining({ id: ids[4] }) });
    expect(copy.lastFullFetch).toBe(day(1).toISOString());

    copy = await synchronize(client, copy, {}, day(8));
    expect(copy.reviews).toEqual(now);
    expect(copy.lastFullFetch).toBe(day(8).toISOString());
  });

  it("keeps the old copy if a fetch fails midway", async () => {
    const shop = await aClient();
    await someReviews(shop.id, [{}, {}, {}]);
    let calls = 0;
    const failing = createCandorClient({
      origin,
      key: shop.key,
      fetch: (request) => {
        calls += 1;
        return calls > 1 ? Promise.resolve(new Response("<html>", { status: 502 })) : fetch(request);
      },
    });
    const before: ReviewCopy = { reviews: {}, latestChange: null, lastFullFetch: null };
    await expect(synchronize(failing, before, { limit: 1 })).rejects.toMatchObject({ status: 502 });
    expect(before).toEqual(emptyCopy);
  });

  it("runs standalone with this folder and openapi-fetch", async () => {
    const shop = await aClient();
    await someReviews(shop.id, [{ author: "Ünal" }, {}]);
    const folder = temporaryFolder("client");
    cpSync(path.join(root, "lib/tools/api-client"), path.join(folder, "candor"), { recursive: true });
    mkdirSync(path.join(folder, "node_modules"));
    for (const name of ["openapi-fetch", "openapi-typescript-helpers"])
      symlinkSync(path.join(root, "node_modules", name), path.join(folder, "node_modules", name));
    const run = (key: string) =>
      promisify(execFile)(process.execPath, ["candor/examples/synchronize.ts", "copy.json"], {
        cwd: folder,
        env: { ...process.env, CANDOR_URL: origin, CANDOR_KEY: key },
      });
    expect((await run(shop.key)).stdout).toMatch(/^2 reviews, as of \d{4}-/);
    expect(JSON.parse(readFileSync(path.join(folder, "copy.json"), "utf8")).reviews).toEqual(
      await fetchAllReviews(shop),
    );
    await rowsOf("update reviews set author = 'Ada' where client_id = $1", [shop.id]);
    expect((await run(shop.key)).stderr).toBe("");
    expect(JSON.parse(readFileSync(path.join(folder, "copy.json"), "utf8")).reviews).toEqual(
      await fetchAllReviews(shop),
    );
    // An error message doesn't contain the key, and the file stays unchanged.
    const before = readFileSync(path.join(folder, "copy.json"), "utf8");
    const failed = await run("sk_secret_of_nobody").catch((error) => error);
    expect(failed.code).not.toBe(0);
    expect(failed.stderr).toContain("The credentials aren’t valid.");
    expect(failed.stderr + failed.stdout).not.toContain("sk_secret_of_nobody");
    expect(readFileSync(path.join(folder, "copy.json"), "utf8")).toBe(before);
  });
});
