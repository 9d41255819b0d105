import type { PoolClient } from "pg";
import type { Actor } from "@/lib/accounts/actor";
import type { ClientRow } from "@/lib/accounts/stores/get-client";
import { enqueue } from "@/lib/platform/jobs/outbox/enqueue";
import type { OutboxEvent } from "@/lib/platform/jobs/outbox/events";
import type { ModeratedKind } from "@/lib/reviews/decisions/schema";
import { tables } from "@/lib/reviews/decisions/tables";
import type { UploadSubject } from "@/lib/reviews/uploads/claim-uploads";
import type { StoredImage } from "@/lib/reviews/uploads/schema";
import { updateHiddenPhotos } from "@/lib/reviews/uploads/set-photo-hidden";

const updated: Record<ModeratedKind, (client_id: string, id: string) => OutboxEvent> = {
  review: (client_id, id) => ({
    name: "review/updated",
    data: { client_id, review_id: id },
  }),
  seller_review: (client_id, id) => ({
    name: "seller_review/updated",
    data: { client_id, seller_review_id: id },
  }),
  question: (client_id, id) => ({
    name: "question/updated",
    data: { client_id, question_id: id },
  }),
};

export type PhotoChange = { image: StoredImage; hidden: boolean };

/**
 * Removes photos from the `images` of their subject or appends them again, in the caller's transaction, which locked
 * the subject. Adds history entries and an update event.
 */
export async function updateShownPhotos(
  db: PoolClient,
  actor: Pick<Actor, "kind" | "id">,
  client: Pick<ClientRow, "id">,
  { kind, id }: UploadSubject,
  changes: readonly PhotoChange[],
): Promise<void> {
  const { rows } = await db.query<{ images: StoredImage[] }>(
    `select images from ${tables[kind]} where client_id = $1 and id = $2`,
    [client.id, id],
  );
  const currentImages = rows[0]?.images;
  if (!currentImages) return;
  const tokens = new Set(changes.map(({ image }) => image.token));
  const shownAgain = changes.flatMap(({ image, hidden }) => (hidden ? [] : [image]));
  const images = [...currentImages.filter(({ token }) => !tokens.has(token)), ...shownAgain];
  // Findings about the text stay valid without the photo, but a trigger deletes them, so they are restored.
  const { rows: findings } = await db.query<{ row: unknown }>(
    "select to_jsonb(f) as row from moderation_findings f where client_id = $1 and kind = $2 and subject_id = $3",
    [client.id, kind, id],
  );
  await db.query(`update ${tables[kind]} set images = $3 where client_id = $1 and id = $2`, [
    client.id,
    id,
    JSON.stringify(images),
  ]);
  await db.query(
    `insert into moderation_findings select * from jsonb_populate_recordset(null::moderation_findings, $1)
     on conflict do nothing`,
    [JSON.stringify(findings.map(({ row }) => row))],
  );
  await db.query(
    `insert into moderation_events (client_id, kind, subject_id, actor_kind, actor_id, action)
     select $1, $2, $3, $4, $5, action from unnest($6::text[]) action`,
    [client.id, kind, id, actor.kind, actor.id, changes.map(({ hidden }) => (hidden ? "photo_hidden" : "photo_shown"))],
  );
  await enqueue(db, [updated[kind](client.id, id)]);
}

/**
 * Hides rejected photos and shows others again, in the caller's transaction, which wrote the decisions and locked the
 * subjects.
 */
export async function syncHiddenPhotos(
  db: PoolClient,
  actor: Pick<Actor, "kind" | "id">,
  client: Pick<ClientRow, "id">,
  tokens: readonly string[],
): Promise<void> {
  const bySubject = new Map<string, { subject: UploadSubject; changes: PhotoChange[] }>();
  for (const { subject, ...change } of await updateHiddenPhotos(db, client, tokens)) {
    const key = `${subject.kind} ${subject.id}`;
    const group = bySubject.get(key) ?? { subject, changes: [] };
    group.changes.push(change);
    bySubject.set(key, group);
  }
  for (const { subject, changes } of bySubject.values()) await updateShownPhotos(db, actor, client, subject, changes);
}
