import type { PoolClient } from "pg";
import { type Actor, hasRole } from "@/lib/accounts/actor";
import { requireColleagues } from "@/lib/accounts/colleagues";
import { notify } from "@/lib/accounts/notifications/notify";
import type { ClientRow } from "@/lib/accounts/stores/get-client";
import { MAX_NOTES, type NoteInput, type SavedNote } from "@/lib/moderation/notes/schema";
import { lockItem } from "@/lib/moderation/queue/lock-item";
import { transaction } from "@/lib/platform/db/pool";
import { AppError, throwIssues } from "@/lib/platform/errors";
import { newId } from "@/lib/platform/ids";
import type { DecidedKind } from "@/lib/reviews/decisions/schema";
import {
  deleteNote,
  insertNote,
  lockNote,
  type StoredNote,
  selectPageItem,
  selectSiblings,
  updateMentions,
  updateText,
} from "./sql";

type Person = Pick<Actor, "id" | "role">;
type Writer = Person & Pick<Actor, "name">;
type Shop = Pick<ClientRow, "id">;

/**
 * Adds a note about an item, in any state. The same text by the same person within a minute is stored once, in case of
 * a double click or a lost response. Throws `not_found`, and `invalid_field` for too many notes or unknown people.
 */
export function writeNote(
  actor: Writer,
  client: Shop,
  kind: DecidedKind,
  id: string,
  { text, mentions }: NoteInput,
): Promise<SavedNote> {
  return transaction(async (db) => {
    await lockItem(db, client.id, kind, id);
    const trimmed = text.trim();
    const { count, repeated } = await selectSiblings(db, client.id, kind, id, { userId: actor.id, text: trimmed });
    if (repeated !== null) return { id: repeated, mentioned: [] };
    throwIssues(count >= MAX_NOTES ? [{ field: "text", reason: "too_many_notes", params: { max: MAX_NOTES } }] : []);
    const note = newId("note");
    await insertNote(db, client.id, kind, id, { id: note, userId: actor.id, text: trimmed });
    return { id: note, mentioned: await recordMentions(db, actor, client, { kind, id, note }, mentions, []) };
  });
}

/** Edits a note of the person's own. Throws `not_found`, `forbidden`, `invalid_field`. */
export function editNote(
  actor: Writer,
  client: Shop,
  kind: DecidedKind,
  id: string,
  note: string,
  { text, mentions }: NoteInput,
): Promise<SavedNote> {
  return transaction(async (db) => {
    await lockItem(db, client.id, kind, id);
    const stored = await requireNote(db, client, kind, id, note);
    if (stored.user_id !== actor.id) throw new AppError("forbidden", { reason: "not_your_note" });
    if (text.trim() !== stored.text) await updateText(db, client.id, note, text.trim());
    const about = { kind, id, note };
    return { id: note, mentioned: await recordMentions(db, actor, client, about, mentions, stored.mentions) };
  });
}

/** Deletes a note: one's own, or anyone's as an admin. Throws `not_found`, `forbidden`. */
export async function removeNote(
  actor: Writer,
  client: Shop,
  kind: DecidedKind,
  id: string,
  note: string,
): Promise<undefined> {
  await transaction(async (db) => {
    await lockItem(db, client.id, kind, id);
    const stored = await requireNote(db, client, kind, id, note);
    if (!mayDelete(actor, stored.user_id)) throw new AppError("forbidden", { reason: "not_your_note" });
    await deleteNote(db, client.id, note);
  });
  return undefined;
}

/** Whether the actor can delete a note of this author. */
export const mayDelete = (actor: Person, author: string | null): boolean =>
  author === actor.id || hasRole(actor.role, "admin");

/** The portal's page of an item; for an answer or a photo, that of the item it belongs to. */
async function pathOf(db: PoolClient, client: Shop, item: { kind: DecidedKind; id: string }): Promise<string> {
  const { kind, id } = await selectPageItem(db, client.id, item.kind, item.id);
  return `/portal/${kind}s/${id}`;
}

async function requireNote(
  db: PoolClient,
  client: Shop,
  kind: DecidedKind,
  id: string,
  note: string,
): Promise<StoredNote> {
  const stored = await lockNote(db, client.id, kind, id, note);
  if (!stored) throw new AppError("not_found", { reason: "note_not_found" });
  return stored;
}

/**
 * Stores whom a note mentions, and notifies and returns those whom it didn't mention before, without the author. Only
 * they are checked: an edit may keep the name of a former colleague. Throws `invalid_field`.
 */
async function recordMentions(
  db: PoolClient,
  actor: Writer,
  client: Shop,
  about: { kind: DecidedKind; id: string; note: string },
  mentions: readonly string[],
  previous: readonly string[],
): Promise<string[]> {
  const named = [...new Set(mentions)];
  const added = named.filter((id) => !previous.includes(id));
  await requireColleagues(db, actor, client, added, (index) => `mentions[${mentions.indexOf(added[index] ?? "")}]`);
  await updateMentions(db, client.id, about.note, named);
  const mentioned = added.filter((id) => id !== actor.id);
  if (mentioned.length === 0) return [];
  await notify(db, {
    clientId: client.id,
    to: { userIds: mentioned },
    kind: "mention",
    params: { name: actor.name },
    path: await pathOf(db, client, about),
    dedupeKey: `mention:${about.note}`,
  });
  return mentioned;
}
