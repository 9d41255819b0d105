import type { ClientRow } from "@/lib/accounts/stores/get-client";
import { type Db, pool } from "@/lib/platform/db/pool";
import type { UploadSubject } from "@/lib/reviews/uploads/claim-uploads";
import type { StoredImage } from "@/lib/reviews/uploads/schema";
import { hideRejected, markHidden, type PhotoState, selectHidden, selectUpload } from "./sql";

/**
 * Hides a subject's photo or shows it again, in the caller's transaction, which writes the subject's `images`. Answers the
 * photo as it is kept and how it was decided on before, null where it is so already, `unknown` where it is no photo of the
 * subject's.
 */
export async function setPhotoHidden(
  db: Db,
  client: Pick<ClientRow, "id">,
  subject: UploadSubject,
  token: string,
  hidden: boolean,
): Promise<{ image: StoredImage; was: PhotoState } | "unknown" | null> {
  const photo = await markHidden(db, client.id, subject, token, hidden);
  if (photo) return photo;
  const upload = await selectUpload(db, client.id, token);
  return upload?.subject_kind === subject.kind && upload.subject_id === subject.id ? null : "unknown";
}

/**
 * Hides those of the photos that were rejected and shows those that are not any more, in the caller's transaction, which
 * writes the `images` of what they came with. Answers what changed.
 */
export async function syncHidden(
  db: Db,
  client: Pick<ClientRow, "id">,
  tokens: readonly string[],
): Promise<{ subject: UploadSubject; image: StoredImage; hidden: boolean }[]> {
  const rows = await hideRejected(db, client.id, tokens);
  return rows.map(({ subject_kind, subject_id, hidden, ...image }) => ({
    subject: { kind: subject_kind, id: subject_id },
    image,
    hidden,
  }));
}

/** Photos of a subject that the shop does not show. */
export const hiddenPhotos = (clientId: string, subject: UploadSubject): Promise<StoredImage[]> =>
  selectHidden(pool(), clientId, subject);
