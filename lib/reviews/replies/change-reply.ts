import type { PoolClient } from "pg";
import type { Actor } from "@/lib/accounts/actor";
import type { ClientRow } from "@/lib/accounts/stores/get-client";
import { transaction } from "@/lib/platform/db/pool";
import { AppError } from "@/lib/platform/errors";
import { enqueue } from "@/lib/platform/jobs/outbox/enqueue";
import { UNDO_SECONDS } from "@/lib/reviews/decisions/rules";
import { repliedEvent } from "@/lib/reviews/replies/replied-event";
import type { RepliedKind } from "@/lib/reviews/replies/schema";
import { detectLanguage, languageOf } from "@/lib/reviews/reviews/detect-language";
import {
  deleteReply,
  dropPendingEvents,
  insertHistory,
  lockSubject,
  type StoredReply,
  type Subject,
  selectReply,
  updateReply,
} from "./sql";

type LockedReply = { subject: Subject; stored: StoredReply };

/** Locks the subject, then the reply. Throws `not_found`. */
async function lockReply(
  db: PoolClient,
  clientId: string,
  kind: RepliedKind,
  id: string,
  reply: string,
): Promise<LockedReply> {
  const subject = await lockSubject(db, clientId, kind, id);
  const stored = subject && (await selectReply(db, clientId, kind, id, reply));
  if (!stored)
    throw new AppError("not_found", { reason: kind === "question" ? "answer_not_found" : "reply_not_found" });
  return { subject, stored };
}

/** Edits a reply or answer; the old text goes to the history. The same text changes nothing. Throws `not_found`. */
export async function editReply(
  actor: Pick<Actor, "kind" | "id">,
  client: ClientRow,
  kind: RepliedKind,
  id: string,
  reply: string,
  { text }: { text: string },
): Promise<undefined> {
  await transaction(async (db) => {
    const { subject, stored } = await lockReply(db, client.id, kind, id, reply);
    const trimmed = text.trim();
    if (trimmed === stored.text) return;
    const lang = (await detectLanguage(trimmed)) ?? stored.lang ?? subject.lang ?? languageOf(client.locale);
    await updateReply(db, client.id, kind, id, { id: reply, text: trimmed, lang });
    await insertHistory(db, client.id, kind, id, { actor, action: "reply_edited", before: stored.text });
    if (!stored.published) return;
    await dropPendingEvents(db, client.id, kind, reply);
    await enqueue(db, [{ ...repliedEvent(client.id, kind, id, reply), delay_seconds: UNDO_SECONDS }]);
  });
  return undefined;
}

/** Deletes a reply or answer; its text stays in the history. Its unsent events are never sent. Throws `not_found`. */
export async function removeReply(
  actor: Pick<Actor, "kind" | "id">,
  client: Pick<ClientRow, "id">,
  kind: RepliedKind,
  id: string,
  reply: string,
): Promise<undefined> {
  await transaction(async (db) => {
    const { stored } = await lockReply(db, client.id, kind, id, reply);
    await deleteReply(db, client.id, kind, id, reply);
    await insertHistory(db, client.id, kind, id, { actor, action: "reply_removed", before: stored.text });
    await dropPendingEvents(db, client.id, kind, reply);
  });
  return undefined;
}
