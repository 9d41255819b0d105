import type { ClientRow } from "@/lib/accounts/stores/get-client";
import type { CatalogLine } from "@/lib/catalog/products/schema";
import { average } from "@/lib/catalog/summaries/rules";
import { pool } from "@/lib/platform/db/pool";
import { decodeCursor, encodeCursor } from "@/lib/platform/http/cursor";
import { type CatalogFilter, selectCatalog } from "./portal-sql";

const PAGE = 50;
/** Maximum products a search scans per page. */
const MAX_SCANNED = 10_000;

/**
 * A page of a client's catalog by id, either way. A search matches parts of name, brand and id, or a whole family id, GTIN or part
 * number. It scans at most `MAX_SCANNED` products per page, so a page may have few rows or none and still a next page.
 * Throws `invalid_cursor`.
 */
export async function listPortalProducts(
  client: Pick<ClientRow, "id">,
  { after, descending = false, ...filter }: CatalogFilter & { after?: string; descending?: boolean },
): Promise<{ products: CatalogLine[]; next: string | null }> {
  const order = descending ? "catalogue.descending" : "catalogue";
  const from = after === undefined ? null : (decodeCursor(after, order, ["text"]).key[0] ?? null);
  const isFiltered = filter.q !== undefined || filter.state !== undefined;
  const maxScanned = isFiltered ? MAX_SCANNED : PAGE + 1;
  const rows = await selectCatalog(pool(), client.id, filter, { after: from, descending }, PAGE + 1, maxScanned);
  const hits = rows.filter(({ hit }) => hit);
  const shown = hits.slice(0, PAGE);
  // If there are more hits than fit, the next page starts after the last one shown; if the scan limit was reached,
  // after the last row scanned.
  const last = hits.length > PAGE ? shown.at(-1) : rows.find((row) => row.edge);
  return {
    products: shown.map(({ sum, hit: _, edge: __, ...row }) => ({ ...row, average: average(sum, row.count) })),
    next: last ? encodeCursor({ order, key: [last.id], startedAt: null }) : null,
  };
}
