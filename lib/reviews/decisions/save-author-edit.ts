import type { PoolClient } from "pg";
import type { ClientRow } from "@/lib/accounts/stores/get-client";
import { enqueue } from "@/lib/platform/jobs/outbox/enqueue";
import { moderationDueEvents } from "@/lib/reviews/decisions/moderation-due";
import { stateOf } from "@/lib/reviews/decisions/rules";
import type { ModeratedKind } from "@/lib/reviews/decisions/schema";
import { tables } from "@/lib/reviews/decisions/tables";

type AuthorEdit = {
  kind: ModeratedKind;
  id: string;
  accepted: boolean | null;
  /** New values by column, JSON as text; names come from code, never from input. */
  columns: Record<string, unknown>;
  /** The previous texts, for the history. */
  texts: Record<string, unknown>;
};

/**
 * Saves an author's edit in the caller's transaction, which locked the row: it becomes pending, the old texts go to the
 * history, and events and rules run as for a new one.
 */
export async function saveAuthorEdit(
  db: PoolClient,
  client: Pick<ClientRow, "id" | "auto_moderate">,
  { kind, id, accepted, columns, texts }: AuthorEdit,
): Promise<void> {
  const names = Object.keys(columns);
  await db.query(
    `update ${tables[kind]} set ${names.map((name, index) => `${name} = $${index + 3}`).join(", ")},
            accepted = null, accepted_at = null, reject_reason = null, decided_at = null
      where client_id = $1 and id = $2`,
    [client.id, id, ...names.map((name) => columns[name])],
  );
  await db.query(
    `insert into moderation_events (client_id, kind, subject_id, actor_kind, action, from_state, to_state, texts)
     values ($1, $2, $3, 'author', 'edited', $4, 'pending', $5)`,
    [client.id, kind, id, stateOf(accepted), JSON.stringify(texts)],
  );
  // Photos waiting in the queue are reviewed with the text again.
  await db.query(
    `update uploads set queued_at = null
      where client_id = $1 and subject_kind = $2 and subject_id = $3 and accepted is null and queued_at is not null`,
    [client.id, kind, id],
  );
  const edited = true as const;
  const submittedEvents = {
    review: { name: "review/submitted", data: { client_id: client.id, review_id: id, edited } },
    seller_review: { name: "seller_review/submitted", data: { client_id: client.id, seller_review_id: id, edited } },
    question: { name: "question/submitted", data: { client_id: client.id, question_id: id, edited } },
  } as const;
  await enqueue(db, [submittedEvents[kind], ...moderationDueEvents(client, kind, [id])]);
}
