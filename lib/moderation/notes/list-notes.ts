import type { Actor } from "@/lib/accounts/actor";
import { MAX_NOTES, type ModerationNote } from "@/lib/moderation/notes/schema";
import { mayDelete } from "@/lib/moderation/notes/write-note";
import { pool } from "@/lib/platform/db/pool";
import { toIsoSeconds } from "@/lib/platform/iso-seconds";
import type { DecidedKind } from "@/lib/reviews/decisions/schema";
import { selectNotes } from "./sql";

/** An item's notes as a moderator sees them, oldest first. */
export async function listNotes(
  actor: Pick<Actor, "id" | "role">,
  clientId: string,
  kind: DecidedKind,
  id: string,
): Promise<ModerationNote[]> {
  const rows = await selectNotes(pool(), clientId, kind, id, MAX_NOTES);
  return rows.map(({ created_at, edited_at, ...note }) => ({
    ...note,
    at: toIsoSeconds(created_at),
    edited_at: edited_at && toIsoSeconds(edited_at),
    own: note.author?.id === actor.id,
    may_delete: mayDelete(actor, note.author?.id ?? null),
  }));
}
