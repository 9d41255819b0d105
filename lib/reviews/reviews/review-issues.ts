import { type ClientRow, timeZoneOf } from "@/lib/accounts/stores/get-client";
import { dayIn } from "@/lib/platform/clock";
import { type Db, pool } from "@/lib/platform/db/pool";
import { AppError } from "@/lib/platform/errors";
import { pickValidFields } from "@/lib/platform/http/valid-fields";
import type { Issue } from "@/lib/platform/issue";
import { creationIssues, inputIssues, mergedColumns, withReviewPrefix } from "@/lib/reviews/reviews/input-rules";
import type { StoredReview } from "@/lib/reviews/reviews/review-row";
import { ReviewInput } from "@/lib/reviews/reviews/schema";
import { claimUploads, uploadIssues } from "@/lib/reviews/uploads/claim-uploads";
import type { StoredImage } from "@/lib/reviews/uploads/schema";
import { isExternalIdTaken, type ReviewKey, selectStoredReview } from "./write-sql";

/** The client's calendar day, for validating review dates. */
export const todayOf = (client: Pick<ClientRow, "config">): string => dayIn(timeZoneOf(client));

/** All errors of a well-formed input, compared with the stored review, or null for a new one. */
export async function reviewIssues(
  db: Db,
  client: ClientRow,
  input: ReviewInput,
  stored: StoredReview | null,
): Promise<Issue[]> {
  const tokens = (input.images ?? []).map(({ token }) => token);
  return [
    ...(stored ? await changeIssues(db, client, input, stored) : creationIssues(input)),
    ...inputIssues(client, input, todayOf(client)),
    ...withReviewPrefix(await uploadIssues(db, client, tokens, stored?.images)),
  ];
}

async function changeIssues(db: Db, client: ClientRow, input: ReviewInput, stored: StoredReview): Promise<Issue[]> {
  const issues: Issue[] = [];
  const { product_id, family_id } = mergedColumns(client, stored, input);
  if (product_id === null && family_id === null) {
    issues.push({ field: "order.item.id", reason: "required_subject" });
  }
  if (input.accepted === undefined && input.reject_reason && stored.accepted !== false) {
    issues.push({ field: "reject_reason", reason: "only_when_rejected" });
  }
  if (input.external_id && (await isExternalIdTaken(db, client.id, input.external_id, stored.id))) {
    issues.push({ field: "external_id", reason: "external_id_taken" });
  }
  return withReviewPrefix(issues);
}

/**
 * Further errors of a malformed body, for the fields that can be parsed. `id` is the review to update, absent for a
 * post.
 */
export async function malformedReviewIssues(client: ClientRow, given: unknown, id?: string): Promise<Issue[]> {
  const review = (given as { review?: unknown } | null)?.review;
  if (review === null || typeof review !== "object" || Array.isArray(review)) return [];
  const { body: input, unreadable } = pickValidFields(ReviewInput, review);
  const key: ReviewKey | null = id ? { id } : input.external_id ? { external_id: input.external_id } : null;
  const stored = key && (await selectStoredReview(pool(), client.id, key));
  if (id && !stored) return [];
  const issues = await reviewIssues(pool(), client, input, stored);
  // Unreadable fields aren't reported as missing, too.
  return issues.filter(({ field }) => ![...unreadable].some((name) => field?.split(/[.[]/)[1] === name));
}

/**
 * Claims the uploads an input names, in the caller's transaction; `images` are the review's current ones. Returns the
 * new list. Throws `invalid_field` if another submission claimed one first.
 */
export async function claimImages(
  db: Db,
  client: Pick<ClientRow, "id">,
  { id, images }: Pick<StoredReview, "id" | "images">,
  given: { token: string }[],
): Promise<StoredImage[]> {
  try {
    const tokens = given.map(({ token }) => token);
    return await claimUploads(db, client, tokens, { kind: "review", id }, images);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    throw new AppError(error.code, { issues: withReviewPrefix(error.issues), cause: error });
  }
}
