import { describe, expect, it } from "vitest";
import type { Db } from "@/lib/db/pool";
import { aClient, rowsOf } from "@/lib/test/factories";
import { selectReviewPage } from "./sql";

describe("selectReviewPage", () => {
  it("reads no row more on a late page than on the first", async () => {
    const shop = await aClient();
    await rowsOf(
      `insert into reviews (client_id, id, source, product_id, author, score, date, feedback_token, created_at)
       select $1, to_char(n, 'FM0000000000000000'), 'import', 'sku-1', 'Ada', 5, '2026-01-01', $1 || n, now() - (20001 - n) * interval '1 s'
         from generate_series(1, 20000) n`,
      [shop.id],
    );
    await rowsOf("analyze reviews");
    const [row] = await rowsOf(
      "select id, created_at from reviews where client_id = $1 order by created_at, id offset 19000 limit 1",
      [shop.id],
    );
    const cursor = {
      order: "reviews.created",
      key: [row.created_at.toISOString(), row.id],
      began: new Date().toISOString(),
    };
    // Rows and index, not time: a busy machine must not decide.
    for (const at of [null, cursor]) {
      const sent: { text: string; values: unknown[] }[] = [];
      const db = { query: async (query: (typeof sent)[number]) => ({ rows: [], sent: sent.push(query) }) };
      await selectReviewPage(db as unknown as Db, shop.id, { limit: 100, updated_after: undefined }, at);
      const [plan] = await rowsOf(`explain (analyze, format json) ${sent[0]?.text}`, sent[0]?.values);
      const shown = JSON.stringify(plan["QUERY PLAN"]);
      expect(shown).toContain('"Index Name":"reviews_client_id_created_at_id_idx"');
      expect(shown).toContain('"Actual Rows":101');
      expect(shown).not.toMatch(/"Rows Removed by (Filter|Index Recheck)":[1-9]/);
      expect(shown).not.toContain('"Sort Key"');
    }
  });
});
