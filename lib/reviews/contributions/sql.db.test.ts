import { beforeAll, describe, expect, it } from "vitest";
import type { Cursor } from "@/lib/platform/http/cursor";
import { listContributions } from "@/lib/reviews/contributions/list-contributions";
import { type ContributionFilter, type ContributionTable, mergeAliases } from "@/lib/reviews/contributions/schema";
import { aClient, rowsOf, type TestClient } from "@/lib/tools/test/factories";
import { queryCost } from "@/lib/tools/test/query-cost";
import { MAX_SCANNED_ROWS, pageQuery } from "./sql";

const ROWS = 12_000;
const tables: ContributionTable[] = ["reviews", "seller_reviews", "questions"];
/** Columns of each table without a default that filters don't use. */
const filled = {
  reviews: {
    columns: "product_id, score, order_id, customer_id",
    values: "'sku-1', 5, 'o' || n % 5000, 'c' || n % 4000",
  },
  seller_reviews: { columns: "score, order_id, customer_id", values: "5, 'o' || n % 5000, 'c' || n % 4000" },
  questions: { columns: "product_id, question", values: "'sku-1', 'Which bulb?'" },
};

let shop: TestClient;
beforeAll(async () => {
  shop = await aClient();
  for (const table of tables) {
    // The oldest rows are accepted, a few at the end pending, and every hundredth is rejected.
    await rowsOf(
      `insert into ${table} (client_id, id, source, author, date, feedback_token, created_at, updated_at, accepted, accepted_at, ${filled[table].columns})
       select $1, to_char(n, 'FM0000000000000000'), 'import', 'Ada', '2026-01-01', $1 || n, at, at, accepted, case when accepted then at end, ${filled[table].values}
         from (select n, now() - (${ROWS} + 1 - n) * interval '1 s' as at,
                      case when n % 100 = 0 then false when n < ${ROWS - 50} then true end as accepted from generate_series(1, ${ROWS}) n) g`,
      [shop.id],
    );
    await rowsOf(`analyze ${table}`);
  }
});

const work = (
  table: ContributionTable,
  filter: ContributionFilter,
  cursor: Cursor | null,
  maxScanned = MAX_SCANNED_ROWS,
) => queryCost(pageQuery(table, shop.id, filter, cursor, maxScanned));

const place = async (table: ContributionTable, time: string, offset: number): Promise<Cursor> => {
  const [row] = await rowsOf(
    `select id, ${time} as at from ${table} where client_id = $1 order by ${time}, id offset $2 limit 1`,
    [shop.id, offset],
  );
  return { order: "", key: [row.at.toISOString(), row.id], startedAt: new Date().toISOString() };
};

describe.each(tables)("a page of %s", (table) => {
  const moment = new Date(Date.now() - 10 * ROWS * 1_000).toISOString();
  const late = new Date(Date.now() - 60_000).toISOString();
  const orders = [
    ["created_at", {}],
    ["updated_at", { updated_after: moment }],
  ] as const;

  it.each(orders)(
    "by %s reads no more rows on a late page than on the first, and doesn't sort",
    async (time, listFilter) => {
      for (const cursor of [null, await place(table, time, ROWS - 500)])
        expect(await work(table, { limit: 100, ...listFilter }, cursor)).toEqual({
          read: 101,
          sorted: 0,
          seqScans: [],
        });
    },
  );

  it("by created_at starts at created_after", async () => {
    expect((await work(table, { limit: 10, created_after: late }, null)).read).toBeLessThanOrEqual(11);
  });

  it("by updated_at scans a limited number of rows for those created later", async () => {
    const listFilter = { limit: 10, updated_after: moment, created_after: late };
    for (const cursor of [null, await place(table, "updated_at", 100)]) {
      const { read, ...rest } = await work(table, listFilter, cursor, 500);
      expect([500, 501]).toContain(read); // PostgreSQL 15 looks at one row more
      expect(rest).toEqual({ sorted: 0, seqScans: [] });
    }
    // Matching rows are adjacent here, so no more are read than shown.
    expect((await work(table, listFilter, await place(table, "updated_at", ROWS - 30), 500)).read).toBeLessThanOrEqual(
      12,
    );
  });

  if (table !== "seller_reviews")
    it.each(orders)("by %s reads only rows of a state", async (time, listFilter) => {
      const at = await place(table, time, ROWS - 5_000);
      for (const moderation_status of ["pending", "rejected"] as const)
        for (const cursor of [null, at])
          expect(await work(table, { limit: 10, ...listFilter, moderation_status }, cursor)).toEqual({
            read: 11,
            sorted: 0,
            seqScans: [],
          });
      // Most are accepted: one in a hundred is skipped.
      const accepted = await work(table, { limit: 100, ...listFilter, moderation_status: "accepted" }, at);
      expect(accepted.read).toBeLessThanOrEqual(103);
      expect(accepted.sorted).toBe(0);
      // With few matches, the number of scanned rows is limited.
      const { read, ...rest } = await work(
        table,
        { limit: 100, ...listFilter, moderation_status: "accepted" },
        await place(table, time, ROWS - 45),
        20,
      );
      expect([20, 21]).toContain(read); // see above
      expect(rest).toEqual({ sorted: 0, seqScans: [] });
    });

  it("finds rows beyond those scanned for one page", async () => {
    const listFilter = { limit: 20, updated_after: moment, created_after: late };
    const found: unknown[] = [];
    const sizes: number[] = [];
    for (let next: string | undefined = "http://localhost/list"; next; ) {
      const after = new URL(next).searchParams.get("after") ?? undefined;
      const page = await listContributions(table, { role: "admin" }, shop, { ...listFilter, after }, new URL(next));
      const { data, links } = JSON.parse(new TextDecoder().decode(page.text as Uint8Array));
      found.push(...data.map(({ id }: { id: string }) => id));
      sizes.push(data.length);
      next = links.next;
    }
    const truth = await rowsOf(
      `select id from ${table} where client_id = $1 and created_at >= $2 order by updated_at, id`,
      [shop.id, late],
    );
    expect(found).toEqual(truth.map(({ id }) => id));
    expect(found.length).toBeGreaterThan(40);
    expect(sizes.slice(0, 2)).toEqual([0, expect.any(Number)]);
    expect(sizes.length).toBeLessThanOrEqual(6);
  });

  if (table === "reviews")
    it.each(orders)("by %s reads only rows of an order or a customer", async (_, listFilter) => {
      for (const few of [{ order_id: "o7" }, { customer_id: "c7" }, { order_id: "o7", customer_id: "c7" }])
        for (const more of [{}, { moderation_status: "accepted" as const }, { created_after: moment }])
          expect((await work(table, { limit: 100, ...listFilter, ...few, ...more }, null)).read).toBeLessThanOrEqual(5);
    });
});

describe("mergeAliases", () => {
  it("maps update_after to updated_after, which takes precedence", () => {
    expect(mergeAliases({ update_after: "a" })).toEqual({ updated_after: "a" });
    expect(mergeAliases({ updated_after: "b", update_after: "a" })).toEqual({ updated_after: "b" });
  });
});
