import { type ImportOptions, type ImportReport, importProducts } from "@/lib/feeds/import-products";
import { pool } from "@/lib/platform/db/pool";
import { selectArticles } from "./sql";

const BATCH_SIZE = 1_000;

/**
 * Imports the share's articles instead of a product feed, with the same rules: missing products are marked as deleted,
 * but more than half of the catalog only after a person confirms.
 */
export function importArticles(
  clientId: string,
  options: Pick<ImportOptions, "source" | "confirmDeletions">,
): Promise<ImportReport> {
  async function* rows(): AsyncGenerator<Uint8Array> {
    let separator = "[";
    for (let after = ""; ; ) {
      const articles = await selectArticles(pool(), clientId, after, BATCH_SIZE);
      for (const { id, data } of articles) {
        const { family, ...rest } = data;
        yield Buffer.from(separator + JSON.stringify({ id, family_id: family, ...rest }));
        separator = ",";
      }
      const last = articles.at(-1);
      if (!last || articles.length < BATCH_SIZE) break;
      after = last.id;
    }
    yield Buffer.from(separator === "[" ? "[]" : "]");
  }
  return importProducts(clientId, rows(), { ...options, format: "json" });
}
