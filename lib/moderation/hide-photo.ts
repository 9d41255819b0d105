import type { Actor } from "@/lib/auth/actor";
import type { ClientRow } from "@/lib/clients/get-client";
import { transaction } from "@/lib/db/pool";
import { AppError } from "@/lib/errors";
import { kindWords, type ModeratedKind } from "@/lib/moderation/schema";
import { tables } from "@/lib/moderation/tables";
import { enqueue } from "@/lib/outbox/enqueue";
import type { OutboxEvent } from "@/lib/outbox/events";
import { markPhoto } from "@/lib/uploads/mark-photo";
import type { StoredImage } from "@/lib/uploads/schema";

const updated: Record<ModeratedKind, (client_id: string, id: string) => OutboxEvent> = {
  review: (client_id, id) => ({ name: "review/updated", data: { client_id, review_id: id } }),
  seller_review: (client_id, id) => ({ name: "seller_review/updated", data: { client_id, seller_review_id: id } }),
  question: (client_id, id) => ({ name: "question/updated", data: { client_id, question_id: id } }),
};

/**
 * Hides a photo of a review, seller review or question, which stays as it is otherwise, or shows it again, as the last
 * one. Its history says who did, and others are told that it changed. What is so already changes nothing. Throws `not_found`.
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
    const { rows } = await db.query<{ images: StoredImage[] }>(
      `select images from ${tables[kind]} where client_id = $1 and id = $2 for update`,
      [client.id, id],
    );
    const held = rows[0];
    if (!held) throw new AppError("not_found", `There is no such ${kindWords[kind]}.`);
    const shown = held.images.some((image) => image.token === token);
    const photo = await markPhoto(db, client, { kind, id }, token, hidden);
    if (photo === "unknown") throw new AppError("not_found", "There is no such photo.");
    if (photo === null || shown !== hidden) return;
    const images = hidden ? held.images.filter((image) => image.token !== token) : [...held.images, photo];
    // What the rules found in the words is as true without the photo; a trigger would drop it.
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
       values ($1, $2, $3, $4, $5, $6)`,
      [client.id, kind, id, actor.kind, actor.id, hidden ? "photo_hidden" : "photo_shown"],
    );
    await enqueue(db, [updated[kind](client.id, id)]);
  });
  return undefined;
}
