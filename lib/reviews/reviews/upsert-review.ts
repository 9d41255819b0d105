import { randomUUID } from "node:crypto";
import type { Actor } from "@/lib/accounts/actor";
import type { ClientRow } from "@/lib/accounts/stores/get-client";
import { orderKeys } from "@/lib/orders/order-writes";
import { now } from "@/lib/platform/clock";
import { batch } from "@/lib/platform/db/batch";
import { type Db, isInEnclosingTransaction, pool, transaction, writePool } from "@/lib/platform/db/pool";
import { AppError, throwIssues } from "@/lib/platform/errors";
import { receiptToken } from "@/lib/platform/http/honesty-page";
import { RawJson } from "@/lib/platform/http/reply";
import { newReviewId, newToken } from "@/lib/platform/ids";
import { clockShift } from "@/lib/platform/jobs/context";
import { contributionJson, portalAddresses } from "@/lib/reviews/contributions/serialize";
import { languageOfTexts } from "@/lib/reviews/reviews/detect-language";
import { getReview } from "@/lib/reviews/reviews/get-review";
import { creationIssues, inputIssues, newColumns, orderOf, textsOf } from "@/lib/reviews/reviews/input-rules";
import { claimImages, reviewIssues, todayOf } from "@/lib/reviews/reviews/review-issues";
import type { ReviewInput } from "@/lib/reviews/reviews/schema";
import { changeReview } from "@/lib/reviews/reviews/update-review";
import {
  type ImportedReview,
  insertImportedReviews,
  type ReviewToImport,
  type StoredReviewLine,
  updateColumns,
} from "./write-sql";

/** Maximum retries if the review is concurrently created and deleted. */
const MAX_TRIES = 10;

/** `receipt`: the token of a new review's receipt. */
export type UpsertResult = { created: boolean; review: RawJson; receipt: string | null };

/**
 * Creates a review that was written elsewhere, or updates the one with its `external_id` (absent keys stay). Row,
 * order, history, summaries (by trigger) and outbox events commit together. Of two concurrent posts of one
 * `external_id`, one creates and the other updates. Causes no email, interaction or invitation. Throws
 * `invalid_field` with all errors.
 */
export async function upsertReview(actor: Actor, client: ClientRow, input: ReviewInput): Promise<UpsertResult> {
  const { external_id } = input;
  const invalid = inputIssues(client, input, todayOf(client)).length > 0;
  const incomplete = creationIssues(input).length > 0;
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    const created = invalid || incomplete ? null : await createReview(actor, client, input);
    if (created) return { created: true, ...created };
    const updated = external_id ? await changeReview(actor, client, { external_id }, input) : null;
    if (updated) return { created: false, review: updated, receipt: null };
    if (invalid || incomplete) throwIssues(await reviewIssues(pool(), client, input, null));
    // Deleted between the two statements: create it after all.
  }
  throw new AppError("unavailable", { reason: "review_busy" });
}

/** Null if the external id exists already; nothing is changed then. */
async function createReview(
  actor: Actor,
  client: ClientRow,
  input: ReviewInput,
): Promise<Omit<UpsertResult, "created"> | null> {
  const columns = newColumns(client, input, todayOf(client));
  columns.lang ??= await languageOfTexts(client, textsOf(columns));
  const review: ImportedReview = {
    ...columns,
    client_id: client.id,
    id: newReviewId(),
    source: "api",
    accepted: input.accepted ?? null,
    reject_reason: input.accepted === false ? (input.reject_reason ?? "unspecified") : null,
    feedback_token: newToken(),
    salt: randomUUID(),
    actor_kind: actor.kind,
    actor_id: actor.id,
    clock_at: clockShift() === null ? null : now().toISOString(),
  };
  const imported = { review, order: orderOf(client, input, columns) };
  const images = input.images ?? [];
  const receipt = receiptToken("review", review.id, review.salt);
  if (images.length === 0) {
    const line = await (isInEnclosingTransaction() ? insertOne(writePool(), imported) : batchedInsert()(imported));
    return line && { review: toReviewJson(client, line), receipt };
  }
  return transaction(async (db) => {
    if (!(await insertOne(db, imported))) return null;
    const claimed = await claimImages(db, client, { id: review.id, images: [] }, images);
    await updateColumns(db, client.id, review.id, { images: claimed });
    return { review: await getReview(actor, client, review.id, db), receipt };
  });
}

const insertOne = async (db: Db, write: ReviewToImport): Promise<StoredReviewLine | null> =>
  (await insertImportedReviews(db, [write]))[0] ?? null;

const toReviewJson = (client: Pick<ClientRow, "id">, line: StoredReviewLine): RawJson =>
  new RawJson(`{"data":${contributionJson(line, portalAddresses("reviews", client.id))}}`);

const batchedInsert = () =>
  batch<ReviewToImport, StoredReviewLine | null>("brought-reviews", (all) => insertImportedReviews(writePool(), all), {
    conflictKeys: ({ order }) => (order ? orderKeys(order) : []),
  });
