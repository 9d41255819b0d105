import { type Actor, maySeePeople } from "@/lib/accounts/actor";
import { recordAudit } from "@/lib/accounts/record-audit";
import type { ClientRow } from "@/lib/accounts/stores/get-client";
import { countLibraryRows, listLibraryIds, scopeOf } from "@/lib/moderation/library/list-library";
import type { LibraryFilter, libraryFormats } from "@/lib/moderation/library/values";
import { pool } from "@/lib/platform/db/pool";
import { throwIssues } from "@/lib/platform/errors";
import { bytesOf } from "@/lib/platform/http/reply";
import type { ModeratedKind } from "@/lib/reviews/decisions/schema";
import { headerText, rowText } from "@/lib/transfer/export-reviews";
import type { ExportKind } from "@/lib/transfer/schema";
import { selectByIds } from "./export-sql";

const kinds: Record<ModeratedKind, ExportKind> = {
  review: "reviews",
  seller_review: "seller_reviews",
  question: "questions",
};

/** What people who may not see personal data don't get. */
const personalFields = ["author_email", "customer_id"];

/**
 * Exactly the rows of the portal's list with a filter, in its order, as a stream of any size: CSV or JSON lines with the
 * fields of `exportReviews`. `ids`: only these rows. `total` is their number now; rows
 * written meanwhile may be added to the stream. Recorded in the audit log. Throws
 * `invalid_field` if words match more rows than a search lists.
 */
export async function exportLibrary(
  actor: Pick<Actor, "kind" | "id" | "role">,
  client: Pick<ClientRow, "id">,
  filter: LibraryFilter,
  { format, ids }: { format: (typeof libraryFormats)[number]; ids?: string[] | undefined },
): Promise<{ file: string; total: number; text: ReadableStream<Uint8Array<ArrayBuffer>> }> {
  const kind = kinds[filter.kind];
  const scope = await scopeOf(actor, client, filter, ids);
  const { count: total, capped } = await countLibraryRows(client, scope);
  throwIssues(capped ? [{ field: "q", reason: "too_many_found", params: { max: total } }] : []);
  await recordAudit(pool(), {
    clientId: client.id,
    actor,
    action: "reviews.exported",
    subject: client.id,
    detail: { format, items: total },
  });
  const hidden = maySeePeople(actor) ? [] : personalFields;
  async function* rows(): AsyncGenerator<string> {
    if (format === "csv") yield headerText(kind);
    for await (const page of listLibraryIds(client, scope)) {
      const found = await selectByIds(kind, client.id, page);
      const byId = new Map(found.map((row) => [row.id, row]));
      let text = "";
      for (const id of page) {
        const row = byId.get(id);
        if (!row) continue; // deleted meanwhile
        for (const field of hidden) if (field in row) row[field] = null;
        text += rowText(kind, format, row);
      }
      if (text !== "") yield text;
    }
  }
  return { file: `${kind.replace("_", "-")}.${format}`, total, text: bytesOf(rows()) };
}
