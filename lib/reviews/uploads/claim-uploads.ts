import type { ClientRow } from "@/lib/accounts/stores/get-client";
import type { Db } from "@/lib/platform/db/pool";
import { throwIssues } from "@/lib/platform/errors";
import type { Issue } from "@/lib/platform/issue";
import { MAX_IMAGES, type StoredImage } from "@/lib/reviews/uploads/schema";
import { claimRows, releaseRows, selectUnclaimed } from "./sql";

/** What claims an upload. */
export type UploadSubject = { kind: "review" | "seller_review" | "question"; id: string };

/**
 * What is wrong with a list of upload tokens, by place (`images[2]`): each must be one of this client's own uploads of
 * the last 24 hours that nothing has claimed, or one the subject holds already, and named once. Changes nothing.
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
 * Claims uploads for a submission inside the caller's transaction; a token serves once, whoever comes first. Answers
 * what the submission keeps in its `images`, in the order of the tokens. With `held`, what the subject holds so far, the
 * list is replaced: tokens among them stay valid, those not named again are let go. Throws `invalid_field` with an issue
 * for each token that cannot be claimed; the caller's transaction is then to be rolled back.
 */
export async function claimUploads(
  db: Db,
  client: Pick<ClientRow, "id">,
  tokens: string[],
  subject: UploadSubject,
  currentImages: StoredImage[] = [],
): Promise<StoredImage[]> {
  const images = new Map(currentImages.map((image) => [image.token, image]));
  const wanted = tokens.filter((token) => !images.has(token));
  if (tokens.length > 0) throwIssues(await uploadIssues(db, client, tokens, currentImages));
  if (wanted.length > 0) {
    for (const image of await claimRows(db, client.id, wanted, subject)) images.set(image.token, image);
    throwIssues(unusable(tokens, new Set(images.keys())));
  }
  if (currentImages.some(({ token }) => !tokens.includes(token))) await releaseRows(db, client.id, subject, tokens);
  return tokens.map((token) => images.get(token) as StoredImage);
}

/**
 * Lets go of all of a subject's uploads: their addresses are dead at once, and clean-up removes rows and files. For a
 * submission that is deleted.
 */
export const releaseUploads = (db: Db, client: Pick<ClientRow, "id">, subject: UploadSubject): Promise<void> =>
  releaseRows(db, client.id, subject, "none");

const unusable = (tokens: string[], usable: Set<string>): Issue[] =>
  tokens.flatMap((token, index): Issue[] => {
    const field = `images[${index}]`;
    if (tokens.indexOf(token) < index) return [{ field, reason: "duplicate_image" }];
    return usable.has(token) ? [] : [{ field, reason: "upload_not_usable" }];
  });
