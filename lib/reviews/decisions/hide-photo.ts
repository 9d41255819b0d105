import type { Actor } from "@/lib/accounts/actor";
import type { ClientRow } from "@/lib/accounts/stores/get-client";
import { transaction } from "@/lib/platform/db/pool";
import { AppError } from "@/lib/platform/errors";
import { stateOf } from "@/lib/reviews/decisions/rules";
import type { ModeratedKind } from "@/lib/reviews/decisions/schema";
import { tables } from "@/lib/reviews/decisions/tables";
import { updateShownPhotos } from "@/lib/reviews/decisions/update-shown-photos";
import { setPhotoHidden } from "@/lib/reviews/uploads/set-photo-hidden";

/**
 * Hides a photo of a review, seller review or question, or shows it again as the last one; the rest stays unchanged.
 * Recorded as a decision on the photo, as in the queue. Repeating it changes nothing. Throws `not_found`.
 */
export async function hidePhoto(
  actor: Pick<Actor, "kind" | "id">,
  client: Pick<ClientRow, "id">,
  kind: ModeratedKind,
  id: string,
  token: string,
  hidden: boolean,
): Promise<undefined> {
  await transaction(async (db) => {
    const locked = await db.query<{ accepted: boolean | null }>(
      `select accepted from ${tables[kind]} where client_id = $1 and id = $2 for update`,
      [client.id, id],
    );
    const [subject] = locked.rows;
    if (!subject) throw new AppError("not_found", { reason: `${kind}_not_found` });
    const marked = await setPhotoHidden(db, client, { kind, id }, token, hidden);
    if (marked === "unknown") throw new AppError("not_found", { reason: "photo_not_found" });
    if (marked === null) return;
    const { image, was } = marked;
    // Without its own decision, a photo has the state of its text.
    const from = was.accepted ?? (was.queued ? null : subject.accepted);
    await db.query(
      `insert into moderation_events (client_id, kind, subject_id, actor_kind, actor_id, action, from_state, to_state, reason)
       values ($1, 'photo', $2, $3, $4, 'decided', $5, $6, $7)`,
      [client.id, token, actor.kind, actor.id, stateOf(from), stateOf(!hidden), hidden ? "unspecified" : null],
    );
    await updateShownPhotos(db, actor, client, { kind, id }, [{ image, hidden }]);
  });
  return undefined;
}
