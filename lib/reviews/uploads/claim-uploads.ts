import type { ClientRow } from "@/lib/accounts/stores/get-client";
import type { Db } from "@/lib/platform/db/pool";
import { throwIssues } from "@/lib/platform/errors";
import type { Issue } from "@/lib/platform/issue";
import { erasePhotoHistory } from "@/lib/reviews/decisions/erase-history";
import { MAX_IMAGES, type StoredImage } from "@/lib/reviews/uploads/schema";
import { claimRows, releaseRows, selectUnclaimed } from "./sql";

/** The owner of a claimed upload. */
export type UploadSubject = { kind: "review" | "seller_review" | "question"; id: string };

/**
 * Validates upload tokens, with issues by position (`images[2]`): each must be one of this client's unclaimed uploads
 * of the last 24 hours, or the subject's own, and named once. Changes nothing.
 */
export async function uploadIssues(
  db: Db,
  client: Pick<ClientRow, "id">,
  tokens: string[],
  currentImages: StoredImage[] = [],
): Promise<Issue[]> {
  if (tokens.length === 0) return [];
  const usable = new Set([
    ...(await selectUnclaimed(db, client.id, tokens)),
    ...currentImages.map(({ token }) => token),
  ]);
  const issues = unusable(tokens, usable);
  if (tokens.length > MAX_IMAGES)
    issues.push({ field: "images", reason: "too_many_entries", params: { max: MAX_IMAGES } });
  return issues;
}

/**
 * Claims uploads for a submission in the caller's transaction; each token can be claimed once. Returns the submission's
 * `images`, in the order of the tokens. With `held`, the subject's current images, the list is replaced: their tokens
 * stay valid, and those not named again are released. Throws `invalid_field` with an issue for each token that can't be
 * claimed; roll back then.
 */
export async function claimUploads(
  db: Db,
  client: Pick<ClientRow, "id">,
  tokens: string[],
  subject: UploadSubject,
  currentImages: StoredImage[] = [],
): Promise<StoredImage[]> {
  const images = new Map(currentImages.map((image) => [image.token, image]));
  const missingTokens = tokens.filter((token) => !images.has(token));
  if (tokens.length > 0) throwIssues(await uploadIssues(db, client, tokens, currentImages));
  if (missingTokens.length > 0) {
    for (const image of await claimRows(db, client.id, missingTokens, subject)) images.set(image.token, image);
    throwIssues(unusable(tokens, new Set(images.keys())));
  }
  if (currentImages.some(({ token }) => !tokens.includes(token)))
    await releaseRows(db, client.id, subject.kind, [subject.id], tokens);
  return tokens.map((token) => images.get(token) as StoredImage);
}

/**
 * Releases all uploads of a deleted subject: their URLs stop working immediately, and cleanup deletes rows and files.
 */
export const releaseUploads = (db: Db, client: Pick<ClientRow, "id">, subject: UploadSubject): Promise<void> =>
  releaseUploadsOf(db, client, subject.kind, [subject.id]);

/** {@link releaseUploads} of several subjects. */
export async function releaseUploadsOf(
  db: Db,
  client: Pick<ClientRow, "id">,
  kind: UploadSubject["kind"],
  ids: string[],
): Promise<void> {
  await erasePhotoHistory(db, client.id, kind, ids);
  await releaseRows(db, client.id, kind, ids, "none");
}

const unusable = (tokens: string[], usable: Set<string>): Issue[] =>
  tokens.flatMap((token, index): Issue[] => {
    const field = `images[${index}]`;
    if (tokens.indexOf(token) < index) return [{ field, reason: "duplicate_image" }];
    return usable.has(token) ? [] : [{ field, reason: "upload_not_usable" }];
  });
