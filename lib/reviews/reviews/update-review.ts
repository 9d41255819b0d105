import { isDeepStrictEqual } from "node:util";
import type { PoolClient } from "pg";
import { type Actor, hasRole } from "@/lib/accounts/actor";
import type { ClientRow } from "@/lib/accounts/stores/get-client";
import { findCustomerId, storeOrder } from "@/lib/orders/store-order";
import { isDuplicate, transaction } from "@/lib/platform/db/pool";
import { AppError, throwIssues } from "@/lib/platform/errors";
import type { RawJson } from "@/lib/platform/http/reply";
import type { Issue } from "@/lib/platform/issue";
import { enqueue } from "@/lib/platform/jobs/outbox/enqueue";
import { selectAppeals } from "@/lib/reviews/decisions/appeals";
import { moderationDueEvents } from "@/lib/reviews/decisions/moderation-due";
import { nextDecision, stateOf } from "@/lib/reviews/decisions/rules";
import { writeDecisions } from "@/lib/reviews/decisions/write-decisions";
import { languageOfTexts } from "@/lib/reviews/reviews/detect-language";
import { getReview } from "@/lib/reviews/reviews/get-review";
import { mergedColumns, orderOf, textsOf } from "@/lib/reviews/reviews/input-rules";
import { claimImages, reviewIssues } from "@/lib/reviews/reviews/review-issues";
import type { ReviewColumns, StoredReview } from "@/lib/reviews/reviews/review-row";
import type { ReviewUpdate } from "@/lib/reviews/reviews/schema";
import type { StoredImage } from "@/lib/reviews/uploads/schema";
import { columnNames, type ReviewKey, selectAddedDetails, selectStoredReview, updateColumns } from "./write-sql";

type Change = ReviewUpdate["review"];
type Changes = Partial<ReviewColumns & { images: StoredImage[] }>;

/** Fields a moderator may change; the rest requires an admin or API key. */
const decisionFields = new Set(["accepted", "reject_reason", "notify"]);
/** Fields of an edit that the history stores and rules check. */
const texts = ["author", "score", "title", "extract", "pros", "cons"] as const;

/**
 * Updates a review: absent keys stay, `accepted` changes its state, `images` replaces the list. Row, order, history,
 * summaries (by trigger) and outbox events commit together; a repeated update changes nothing. Returns the review.
 * Throws `not_found`, `forbidden` if a moderator changes more than the decision, `invalid_field` with all errors,
 * `conflict` if another person must decide, since the author appealed.
 */
export async function updateReview(actor: Actor, client: ClientRow, id: string, change: Change): Promise<RawJson> {
  const more = Object.entries(change).some(([name, value]) => value !== undefined && !decisionFields.has(name));
  if (more && !hasRole(actor.role, "admin")) {
    throw new AppError("forbidden", { reason: "decisions_only" });
  }
  const changed = await changeReview(actor, client, { id }, change);
  if (!changed) throw new AppError("not_found", { reason: "review_not_found" });
  return changed;
}

/** {@link updateReview} without the permission check; null if the review doesn't exist. */
export async function changeReview(
  actor: Actor,
  client: ClientRow,
  key: ReviewKey,
  change: Change,
): Promise<RawJson | null> {
  try {
    return await transaction(async (db) => {
      const stored = await selectStoredReview(db, client.id, key, "for update");
      if (!stored) return null;
      throwIssues(await reviewIssues(db, client, change, stored));
      const next = nextDecision(stored, change);
      const userId = actor.kind === "user" ? actor.id : null;
      const appeal = next && (await selectAppeals(db, client.id, "review", [stored.id], userId)).get(stored.id);
      if (appeal?.isOwn) throw new AppError("conflict", { reason: "appeal_needs_another_person" });
      const changes = await changesOf(db, client, stored, change);
      await writeEdit(db, actor, client, stored, changes);
      if (next) {
        const appealed = appeal?.isOpen === true && stored.accepted === null;
        const decision = { id: stored.id, from: stored.accepted, accepted: next.accepted, reason: next.reject_reason };
        await writeDecisions(db, client, "review", [{ ...decision, actor, notify: change.notify ?? false, appealed }]);
      } else if (needsModeration(actor, stored, change, changes))
        await enqueue(db, moderationDueEvents(client, "review", [stored.id]));
      return getReview(actor, client, stored.id, db);
    });
  } catch (error) {
    if (!isDuplicate(error, "reviews_client_id_external_id_key")) throw error;
    const issue: Issue = { field: "review.external_id", reason: "external_id_taken" };
    throw new AppError("invalid_field", { issues: [issue], cause: error });
  }
}

/** The changed columns. Stores the order in the change and claims images. */
async function changesOf(db: PoolClient, client: ClientRow, stored: StoredReview, change: Change): Promise<Changes> {
  const columns = mergedColumns(client, stored, change);
  const write = orderOf(client, change, columns);
  if (write) {
    // Without a customer in the change, the order keeps its current one.
    const buyer = write.order && !change.order?.customer ? await findCustomerId(db, client, write.order.id) : null;
    await storeOrder(db, buyer === null ? write : { ...write, customer: { id: buyer } });
  }
  if (change.order || change.author_email === null)
    Object.assign(columns, await selectAddedDetails(db, client.id, columns));
  // The link was emailed to the old address.
  if (columns.email_key !== stored.email_key) columns.verified_email = false;
  if (change.lang === null) columns.lang = await languageOfTexts(client, textsOf(columns));
  const changed = columnNames.filter((name) => !isDeepStrictEqual(columns[name], stored[name]));
  const changes: Changes = Object.fromEntries(changed.map((name) => [name, columns[name]]));
  if (change.images !== undefined) {
    const images = await claimImages(db, client, stored, change.images ?? []);
    if (!isDeepStrictEqual(images, stored.images)) changes.images = images;
  }
  return changes;
}

const changesText = (changes: Changes): boolean => texts.some((name) => name in changes);

/** What the history stores of an edit: the texts before, and `incentivized` before if it changed. Null without either. */
function textsBefore(stored: StoredReview, changes: Changes): Record<string, unknown> | null {
  const hasMark = "incentivized" in changes;
  if (!hasMark && !changesText(changes)) return null;
  const names = [...texts, ...(hasMark ? (["incentivized"] as const) : [])];
  return Object.fromEntries(names.map((name) => [name, stored[name]]));
}

/** True if a pending review is to be queued for rules: its texts changed, or the API reopens it. */
const needsModeration = (actor: Actor, { accepted }: StoredReview, change: Change, changes: Changes): boolean =>
  accepted === null && actor.kind !== "user" && (change.accepted === null || changesText(changes));

/** Writes changed columns, with the old texts in the history. */
async function writeEdit(
  db: PoolClient,
  actor: Actor,
  client: ClientRow,
  stored: StoredReview,
  changes: Changes,
): Promise<void> {
  if (Object.keys(changes).length === 0) return;
  const old = textsBefore(stored, changes);
  await updateColumns(db, client.id, stored.id, changes);
  await db.query(
    `insert into moderation_events (client_id, kind, subject_id, actor_kind, actor_id, action, from_state, to_state, texts)
     values ($1, 'review', $2, $3, $4, 'edited', $5, $5, $6)`,
    [client.id, stored.id, actor.kind, actor.id, stateOf(stored.accepted), old && JSON.stringify(old)],
  );
  await enqueue(db, [{ name: "review/updated", data: { client_id: client.id, review_id: stored.id } }]);
}
