import type { ClientRow } from "@/lib/accounts/stores/get-client";
import { type Db, pool } from "@/lib/platform/db/pool";
import type { UploadSubject } from "@/lib/reviews/uploads/claim-uploads";
import type { StoredImage } from "@/lib/reviews/uploads/schema";
import { hideRejected, markHidden, type PhotoState, selectHiddenPhotos, selectUpload } from "./sql";

/**
 * Hides a subject's photo or shows it again, in the caller's transaction, which writes the subject's `images`. Returns
 * the photo and its previous decision, null if nothing changes, `unknown` if the subject has no such photo.
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
 * Hides rejected photos and shows others again, in the caller's transaction, which writes the subjects' `images`.
 * Returns what changed.
 */
export async function updateHiddenPhotos(
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

/** Hidden photos of a subject. */
export const hiddenPhotos = (clientId: string, subject: UploadSubject): Promise<StoredImage[]> =>
  selectHiddenPhotos(pool(), clientId, subject);
