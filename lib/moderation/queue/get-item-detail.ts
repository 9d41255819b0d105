import { type Actor, maySeePeople } from "@/lib/accounts/actor";
import type { ClientRow } from "@/lib/accounts/stores/get-client";
import { listNotes } from "@/lib/moderation/notes/list-notes";
import { readerOf } from "@/lib/moderation/queue/reader-of";
import type { HistoryEntry, ItemContext, ItemDetail } from "@/lib/moderation/queue/schema";
import { toQueueItem } from "@/lib/moderation/queue/serialize";
import { listFindings } from "@/lib/moderation/rules/list-findings";
import { listSimilar } from "@/lib/moderation/rules/list-similar";
import type { Finding } from "@/lib/moderation/rules/schema";
import { pool } from "@/lib/platform/db/pool";
import { AppError } from "@/lib/platform/errors";
import { toIsoSeconds } from "@/lib/platform/iso-seconds";
import type { DecidedKind, ModerationStatus, TextKind } from "@/lib/reviews/decisions/schema";
import { imageObjects } from "@/lib/reviews/uploads/image-objects";
import { hiddenPhotos } from "@/lib/reviews/uploads/set-photo-hidden";
import {
  type ContextRow,
  type HistoryRow,
  type OtherItemRow,
  selectContext,
  selectHistory,
  selectOtherItems,
  selectQueueRows,
  selectReplies,
  selectReports,
} from "./sql";

/**
 * Returns an item with its order, customer, invitation, product, replies, other items by the author, and history.
 * Throws `not_found`.
 */
export const getItemDetail = (
  actor: Pick<Actor, "id" | "role">,
  client: Pick<ClientRow, "id">,
  kind: DecidedKind,
  id: string,
): Promise<ItemDetail> =>
  kind === "photo" ? getPhotoDetail(actor, client, id) : getWrittenDetail(actor, client, kind, id);

/** A photo is shown with the context of the item it was uploaded with, and has its own history. */
async function getPhotoDetail(
  actor: Pick<Actor, "id" | "role">,
  client: Pick<ClientRow, "id">,
  id: string,
): Promise<ItemDetail> {
  const [row] = await selectQueueRows(pool(), client.id, "photo", [id]);
  if (!row?.came_with) throw new AppError("not_found", { reason: "photo_not_found" });
  const [reader, { context }, history, notes] = await Promise.all([
    readerOf(actor, client.id),
    getWrittenDetail(actor, client, row.came_with.kind, row.came_with.id),
    selectHistory(pool(), client.id, "photo", id),
    notesFor(actor, client, "photo", id),
  ]);
  return {
    item: toQueueItem(row, client.id, reader),
    context: {
      ...context,
      alike: [],
      reports: [],
      replies: [],
      hidden_photos: [],
      history: history.map((entry) => toEntry(entry, "photo")),
      notes,
    },
  };
}

async function getWrittenDetail(
  actor: Pick<Actor, "id" | "role">,
  client: Pick<ClientRow, "id">,
  kind: TextKind,
  id: string,
): Promise<ItemDetail> {
  const of = [pool(), client.id, kind, id] as const;
  const [reader, rows, context, others, history, findings, replies, reports, alike, hidden, notes] = await Promise.all([
    readerOf(actor, client.id),
    selectQueueRows(pool(), client.id, kind, [id]),
    selectContext(...of),
    selectOtherItems(...of),
    selectHistory(...of),
    kind === "answer" ? new Map<string, Finding[]>() : listFindings(client.id, kind, [id]),
    selectReplies(...of),
    kind === "review" ? selectReports(pool(), client.id, id) : [],
    kind === "answer" ? [] : listSimilar(client.id, kind, id),
    kind === "answer" ? [] : hiddenPhotos(client.id, { kind, id }),
    notesFor(actor, client, kind, id),
  ]);
  const row = rows[0];
  if (!row || !context) throw new AppError("not_found", { reason: `${kind}_not_found` });
  const { people: seesPeople, hidesStars } = reader;
  return {
    item: toQueueItem(row, client.id, reader, findings.get(id)),
    context: {
      ...toItemContext(context, seesPeople),
      others: seesPeople ? others.map((other) => withoutStars(other, hidesStars)) : [],
      alike,
      reports: reports.map(({ created_at, comment }) => ({ at: toIsoSeconds(created_at), comment })),
      replies: replies.map(({ mailed_at, ...reply }) => ({
        ...reply,
        mailed_at: mailed_at && toIsoSeconds(mailed_at),
      })),
      hidden_photos: imageObjects(hidden, { signed: true }),
      history: history.map((entry) => toEntry(entry, kind)),
      notes,
    },
  };
}

const withoutStars = (other: OtherItemRow, hidesStars: boolean): OtherItemRow =>
  hidesStars && other.accepted === null ? { ...other, score: null } : other;

/** Notes can contain personal data, so only moderators see them. */
const notesFor = async (
  actor: Pick<Actor, "id" | "role">,
  client: Pick<ClientRow, "id">,
  kind: DecidedKind,
  id: string,
) => (maySeePeople(actor) ? listNotes(actor, client.id, kind, id) : []);

function toItemContext(
  row: ContextRow,
  seesPeople: boolean,
): Omit<ItemContext, "others" | "alike" | "reports" | "replies" | "hidden_photos" | "history" | "notes"> {
  return {
    order:
      row.order_id === null || row.order_created_at === null
        ? null
        : {
            id: row.order_id,
            created_at: toIsoSeconds(row.order_created_at),
            store_name: row.store_name,
            item_count: row.item_count,
            item_name: row.item_name,
            delivery_date: row.delivery_date,
          },
    customer:
      row.customer_id === null || !seesPeople
        ? null
        : { id: row.customer_id, name: row.customer_name, email: row.customer_email },
    invitation:
      row.invitation_kind === null
        ? null
        : {
            kind: row.invitation_kind,
            sent_at: row.sent_at && toIsoSeconds(row.sent_at),
            clicked_at: row.clicked_at && toIsoSeconds(row.clicked_at),
          },
    product:
      row.product_id === null || row.product_name === null
        ? null
        : {
            id: row.product_id,
            name: row.product_name,
            url: row.product_page,
            count: row.review_count ?? 0,
            scores: row.scores.map((count) => count ?? 0),
            average: row.review_count ? Math.round(((row.score_sum ?? 0) / row.review_count) * 100) / 100 : null,
          },
  };
}

function toEntry(row: HistoryRow, kind: DecidedKind): HistoryEntry {
  return {
    at: toIsoSeconds(row.at),
    actor: { kind: row.actor_kind, name: row.actor_name, rule: row.actor_kind === "rule" ? row.actor_id : null },
    // Decisions on answers are also in the history of their question.
    action: kind === "question" && row.kind === "answer" ? "answer_decided" : row.action,
    from: row.from_state as ModerationStatus | null,
    to: row.to_state as ModerationStatus | null,
    reason: row.reason,
  };
}
