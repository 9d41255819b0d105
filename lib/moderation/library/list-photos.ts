import type { Actor } from "@/lib/accounts/actor";
import type { ClientRow } from "@/lib/accounts/stores/get-client";
import { isTime } from "@/lib/moderation/library/list-library";
import type { LibraryPhoto } from "@/lib/moderation/library/schema";
import { PAGE_SIZE, type PhotoState } from "@/lib/moderation/library/values";
import { loadItems } from "@/lib/moderation/queue/load-items";
import { readerOf } from "@/lib/moderation/queue/reader-of";
import { pool } from "@/lib/platform/db/pool";
import { AppError } from "@/lib/platform/errors";
import { cutPage, decodeCursor, encodeCursor } from "@/lib/platform/http/cursor";
import { imageObjects } from "@/lib/reviews/uploads/image-objects";
import { selectPhotos } from "./sql";

/**
 * A page of all photos, newest first: of texts in any status, hidden ones included unless `state` selects. `next` is the
 * cursor of the next page. Throws `invalid_cursor`.
 */
export async function listPhotos(
  actor: Pick<Actor, "id" | "role">,
  client: Pick<ClientRow, "id">,
  { state, after }: { state?: PhotoState | undefined; after?: string | undefined },
): Promise<{ photos: LibraryPhoto[]; next: string | null }> {
  const order = `library.photos.${state ?? "all"}`;
  const from = after === undefined ? null : positionOf(after, order);
  const { shown, last } = cutPage(await selectPhotos(pool(), client.id, state, from, PAGE_SIZE + 1), PAGE_SIZE);
  const subjects = new Map(
    shown.map(({ subject_kind: kind, subject_id: id }) => [`${kind} ${id}`, { kind, id }] as const),
  );
  const items = await loadItems(client.id, [...subjects.values()], await readerOf(actor, client.id));
  const itemOf = new Map(items.map((item) => [`${item.kind} ${item.id}`, item]));
  return {
    // A photo whose text was deleted in the meantime is left out.
    photos: shown.flatMap((row) => {
      const item = itemOf.get(`${row.subject_kind} ${row.subject_id}`);
      const [image] = imageObjects([row], { signed: true });
      return item && image ? [{ image, hidden: row.hidden, item }] : [];
    }),
    next: last ? encodeCursor({ order, key: [last.claimed_at, last.token], startedAt: null }) : null,
  };
}

function positionOf(after: string, order: string): { claimed_at: string; token: string } {
  const [claimed_at = "", token = ""] = decodeCursor(after, order, ["text", "text"]).key;
  if (!isTime(claimed_at)) {
    throw new AppError("invalid_cursor", { reason: "invalid_cursor", field: "after" });
  }
  return { claimed_at, token };
}
