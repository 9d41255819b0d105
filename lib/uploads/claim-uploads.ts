import type { ClientRow } from "@/lib/clients/get-client";
import type { Db } from "@/lib/db/pool";
import { type Fault, refuseFaults } from "@/lib/errors";
import { MOST_IMAGES, type StoredImage } from "@/lib/uploads/schema";
import { claimRows, releaseRows, selectUnclaimed } from "./sql";

/** What claims an upload. */
export type UploadSubject = { kind: "review" | "seller_review" | "question"; id: string };

/**
 * What is wrong with a list of upload tokens, by place (`images[2]`): each must be one of this client's own uploads of
 * the last 24 hours that nothing has claimed, and named once. Changes nothing.
 */
export async function uploadFaults(db: Db, client: Pick<ClientRow, "id">, tokens: string[]): Promise<Fault[]> {
  if (tokens.length === 0) return [];
  const free = new Set(await selectUnclaimed(db, client.id, tokens));
  const faults = unclaimable(tokens, free);
  if (tokens.length > MOST_IMAGES)
    faults.push({ field: "images", message: `must hold at most ${MOST_IMAGES} entries` });
  return faults;
}

/**
 * Claims uploads for a submission inside the caller's transaction; a token serves once, whoever comes first. Answers
 * what the submission keeps in its `images`, in the order of the tokens. Throws `invalid_field` with a fault for each
 * token that cannot be claimed; the caller's transaction is then to be rolled back.
 */
export async function claimUploads(
  db: Db,
  client: Pick<ClientRow, "id">,
  tokens: string[],
  subject: UploadSubject,
): Promise<StoredImage[]> {
  if (tokens.length === 0) return [];
  refuseFaults(await uploadFaults(db, client, tokens));
  const claimed = new Map((await claimRows(db, client.id, tokens, subject)).map((image) => [image.token, image]));
  refuseFaults(unclaimable(tokens, new Set(claimed.keys())));
  return tokens.map((token) => claimed.get(token) as StoredImage);
}

/**
 * Lets go of a subject's uploads but those to `keep`: their addresses are dead at once, and clean-up removes rows and
 * files. For a submission that is deleted, or edited to hold other images.
 */
export const releaseUploads = (
  db: Db,
  client: Pick<ClientRow, "id">,
  subject: UploadSubject,
  keep: string[] = [],
): Promise<void> => releaseRows(db, client.id, subject, keep);

const unclaimable = (tokens: string[], free: Set<string>): Fault[] =>
  tokens.flatMap((token, index) => {
    const field = `images[${index}]`;
    if (tokens.indexOf(token) < index) return [{ field, message: "is the same image as an earlier one" }];
    return free.has(token) ? [] : [{ field, message: "is not an upload of yours that is still to be used" }];
  });
