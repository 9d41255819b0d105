import type { Actor } from "@/lib/accounts/actor";
import { type ClientRow, timeZoneOf } from "@/lib/accounts/stores/get-client";
import { dayIn } from "@/lib/platform/clock";
import { transaction } from "@/lib/platform/db/pool";
import { AppError } from "@/lib/platform/errors";
import { newId } from "@/lib/platform/ids";
import { enqueue } from "@/lib/platform/jobs/outbox/enqueue";
import { decideInTransaction } from "@/lib/reviews/decisions/decide-items";
import { UNDO_SECONDS } from "@/lib/reviews/decisions/rules";
import { repliedEvent } from "@/lib/reviews/replies/replied-event";
import type { NewReply, RepliedKind } from "@/lib/reviews/replies/schema";
import { detectLanguage, languageOf } from "@/lib/reviews/reviews/detect-language";
import { insertHistory, insertReply, lockSubject, selectDuplicateReply } from "./sql";

/**
 * Publishes the store's reply to a review or seller review, or its answer to a question; with `accept`, accepts the
 * subject in the same transaction. Events are sent after the undo window. The same text by the same person within a
 * minute is written once, in case of a double click or a lost response. Returns the reply's id. Throws `not_found`.
 */
export function writeReply(
  actor: Pick<Actor, "kind" | "id">,
  client: ClientRow,
  kind: RepliedKind,
  id: string,
  { text, author, accept = false }: NewReply,
): Promise<{ id: string }> {
  return transaction(async (db) => {
    const subject = await lockSubject(db, client.id, kind, id);
    if (!subject) throw new AppError("not_found", { reason: `${kind}_not_found` });
    const trimmed = text.trim();
    const repeated = await selectDuplicateReply(db, client.id, kind, id, { userId: actor.id, text: trimmed });
    const reply = repeated ?? newId(kind === "question" ? "ans" : "rsp");
    if (repeated === null) {
      await insertReply(db, client.id, kind, id, {
        id: reply,
        author: author?.trim() ?? client.display_name,
        userId: actor.id,
        text: trimmed,
        lang: (await detectLanguage(trimmed)) ?? subject.lang ?? languageOf(client.locale),
        date: dayIn(timeZoneOf(client)),
      });
      await insertHistory(db, client.id, kind, id, { actor, action: "replied" });
      await enqueue(db, [{ ...repliedEvent(client.id, kind, id, reply), delay_seconds: UNDO_SECONDS }]);
    }
    if (accept && subject.accepted === null) await decideInTransaction(db, actor, client, kind, id, { accepted: true });
    return { id: reply };
  });
}
