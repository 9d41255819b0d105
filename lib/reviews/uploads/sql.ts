import type { Db } from "@/lib/platform/db/pool";
import type { UploadSubject } from "@/lib/reviews/uploads/claim-uploads";
import { photoImportLock } from "@/lib/reviews/uploads/photo-import-lock";
import type { StoredImage } from "@/lib/reviews/uploads/schema";

/** Who has a claimed upload: a submission, or the store whose logo it is. */
type Holder = UploadSubject | { kind: "logo"; id: string };

/** Maximum age of an upload to be claimed; cleanup adds a margin, so the two never race. */
const CLAIMABLE_FOR = "interval '24 hours'";
const ABANDONED_AFTER = "interval '24 hours 10 minutes'";

export async function insertUpload(db: Db, clientId: string, image: StoredImage, bytes: number): Promise<void> {
  await db.query({
    name: "insert-upload",
    text: `insert into uploads (client_id, token, key, format, width, height, sizes, bytes) values ($1, $2, $3, $4, $5, $6, $7, $8)`,
    values: [
      clientId,
      image.token,
      image.key,
      image.format,
      image.width,
      image.height,
      JSON.stringify(image.sizes),
      bytes,
    ],
  });
}

type UploadRow = StoredImage & {
  client_id: string;
  bytes: number;
  claimed: boolean;
  subject_kind: string | null;
  subject_id: string | null;
};

const uploadColumns =
  "client_id, token, key, format, width, height, sizes, bytes, claimed_at is not null as claimed, subject_kind, subject_id";

export async function selectUpload(db: Db, clientId: string, token: string): Promise<UploadRow | null> {
  const { rows } = await db.query<UploadRow>({
    name: "upload-of-client",
    text: `select ${uploadColumns} from uploads where client_id = $1 and token = $2`,
    values: [clientId, token],
  });
  return rows[0] ?? null;
}

/** All clients' uploads of this token except those of erased authors, the client's own first. */
export async function selectUploads(db: Db, clientId: string, token: string): Promise<UploadRow[]> {
  const { rows } = await db.query<UploadRow>({
    name: "uploads-anywhere",
    text: `select ${uploadColumns} from uploads where token = $2 and subject_kind is distinct from 'erased'
            order by client_id = $1 desc, client_id limit 20`,
    values: [clientId, token],
  });
  return rows;
}

/** The tokens that can be claimed. */
export async function selectUnclaimed(db: Db, clientId: string, tokens: string[]): Promise<string[]> {
  const { rows } = await db.query<{ token: string }>({
    name: "unclaimed-uploads",
    text: `select token from uploads
            where client_id = $1 and token = any($2) and claimed_at is null and created_at > now() - ${CLAIMABLE_FOR}`,
    values: [clientId, tokens],
  });
  return rows.map(({ token }) => token);
}

/** Claims the tokens that can be claimed; the condition makes sure each is claimed once. */
export async function claimRows(db: Db, clientId: string, tokens: string[], subject: Holder): Promise<StoredImage[]> {
  const { rows } = await db.query<StoredImage>({
    name: "claim-uploads",
    text: `with wanted as (select token from uploads where client_id = $1 and token = any($2) order by token for update)
           update uploads u set claimed_at = now(), subject_kind = $3, subject_id = $4 from wanted
            where u.client_id = $1 and u.token = wanted.token and u.claimed_at is null and u.created_at > now() - ${CLAIMABLE_FOR}
           returning u.token, u.key, u.format, u.width, u.height, u.sizes`,
    values: [clientId, tokens, subject.kind, subject.id],
  });
  return rows;
}

/** Releases uploads of subjects: all of them, or displayed ones that aren't in the list to keep. */
export async function releaseRows(
  db: Db,
  clientId: string,
  kind: Holder["kind"],
  ids: string[],
  keep: string[] | "none",
): Promise<void> {
  await db.query({
    name: "release-uploads",
    text: `update uploads set claimed_at = null, subject_kind = null, subject_id = null, hidden_at = null, queued_at = null,
                  accepted = null, accepted_at = null, reject_reason = null, decided_at = null,
                  created_at = now() - interval '2 days'
            where client_id = $1 and subject_kind = $2 and subject_id = any($3)
              and ($4::text[] is null or token <> all($4) and hidden_at is null)`,
    values: [clientId, kind, ids, keep === "none" ? null : keep],
  });
}

/** The tokens of a client's newest logos, and of the one with this key. */
export async function selectCurrentLogos(
  db: Db,
  clientId: string,
  limit: number,
  key: string | null,
): Promise<string[]> {
  const { rows } = await db.query<{ token: string }>(
    `(select token from uploads where client_id = $1 and subject_kind = 'logo' and subject_id = $1
       order by claimed_at desc, token desc limit $2)
      union select token from uploads where client_id = $1 and key = $3`,
    [clientId, limit, key],
  );
  return rows.map(({ token }) => token);
}

/** An upload too old to be claimed. */
export type AbandonedUpload = { client_id: string; token: string; key: string; created_at: string };

/** Abandoned uploads, oldest first, after the given one. */
export async function selectAbandoned(
  db: Db,
  limit: number,
  after: AbandonedUpload | null,
  clientId: string | null,
): Promise<AbandonedUpload[]> {
  const { rows } = await db.query<AbandonedUpload>(
    `select client_id, token, key, created_at::text from uploads u
      where claimed_at is null and created_at < now() - ${ABANDONED_AFTER}
        and ($2::timestamptz is null or (u.created_at, client_id, token) > ($2, $3, $4))
        and ($5::text is null or client_id = $5)
      order by u.created_at, client_id, token limit $1`,
    [limit, after?.created_at ?? null, after?.client_id ?? null, after?.token ?? null, clientId],
  );
  return rows;
}

export async function deleteUpload(db: Db, clientId: string, token: string): Promise<void> {
  await db.query("delete from uploads where client_id = $1 and token = $2 and claimed_at is null", [clientId, token]);
}

/**
 * The moderation state of the subject of the image with this key; a hidden image counts as pending, so signed URLs show
 * it, and a logo as accepted. Null if it is unclaimed or its subject was deleted.
 */
export async function selectImageState(db: Db, key: string): Promise<{ accepted: boolean | null } | null> {
  const holder = (kind: string, table: string) =>
    `select accepted from ${table} where u.subject_kind = '${kind}' and client_id = u.client_id and id = u.subject_id`;
  const { rows } = await db.query<{ accepted: boolean | null }>({
    name: "image-state",
    text: `select case when u.hidden_at is null or s.accepted = false then s.accepted end as accepted
             from uploads u cross join lateral (
             ${holder("review", "reviews")} union all ${holder("seller_review", "seller_reviews")}
             union all ${holder("question", "questions")}
             union all select true where u.subject_kind = 'logo') s
            where u.key = $1 and u.claimed_at is not null`,
    values: [key],
  });
  return rows[0] ?? null;
}

/** Moves uploads from their subjects to an erasure, where they can't be claimed or displayed. */
export async function reassignRows(
  db: Db,
  clientId: string,
  kind: UploadSubject["kind"],
  ids: string[],
  erasureId: string,
): Promise<number> {
  const { rowCount } = await db.query(
    `update uploads set subject_kind = 'erased', subject_id = $4, queued_at = null
      where client_id = $1 and subject_kind = $2 and subject_id = any($3)`,
    [clientId, kind, ids, erasureId],
  );
  return rowCount ?? 0;
}

export async function selectErased(
  db: Db,
  clientId: string,
  erasureId: string,
  limit: number,
): Promise<{ token: string; key: string }[]> {
  const { rows } = await db.query<{ token: string; key: string }>(
    `select token, key from uploads where client_id = $1 and subject_kind = 'erased' and subject_id = $2 order by token limit $3`,
    [clientId, erasureId, limit],
  );
  return rows;
}

export async function deleteErased(db: Db, clientId: string, erasureId: string, token: string): Promise<void> {
  await db.query(
    "delete from uploads where client_id = $1 and token = $3 and subject_kind = 'erased' and subject_id = $2",
    [clientId, erasureId, token],
  );
}

/** Hidden photos of a subject, in their original order. */
export async function selectHiddenPhotos(db: Db, clientId: string, subject: UploadSubject): Promise<StoredImage[]> {
  const { rows } = await db.query<StoredImage>({
    name: "hidden-uploads",
    text: `select token, key, format, width, height, sizes from uploads
            where client_id = $1 and subject_kind = $2 and subject_id = $3 and hidden_at is not null
            order by hidden_at, token limit 50`,
    values: [clientId, subject.kind, subject.id],
  });
  return rows;
}

/** A photo's decision; `queued`: it is an item of its own, not decided with its text. */
export type PhotoState = { accepted: boolean | null; queued: boolean };

/**
 * Hides a subject's photo or shows it again. Returns the photo and its previous decision; null if nothing changes or it
 * isn't the subject's.
 */
export async function markHidden(
  db: Db,
  clientId: string,
  subject: UploadSubject,
  token: string,
  hidden: boolean,
): Promise<{ image: StoredImage; was: PhotoState } | null> {
  const { rows } = await db.query<StoredImage & { was_accepted: boolean | null; was_queued: boolean }>(
    `with old as (
       select token, accepted, queued_at from uploads
        where client_id = $1 and subject_kind = $2 and subject_id = $3 and token = $4 and (hidden_at is not null) <> $5
          for update
     )
     update uploads u set hidden_at = case when $5 then now() end, queued_at = coalesce(u.queued_at, now()), accepted = not $5,
            accepted_at = case when not $5 then now() end, reject_reason = case when $5 then 'unspecified' end, decided_at = now()
       from old where u.client_id = $1 and u.token = old.token
     returning u.token, u.key, u.format, u.width, u.height, u.sizes,
            old.accepted as was_accepted, old.queued_at is not null as was_queued`,
    [clientId, subject.kind, subject.id, token, hidden],
  );
  if (!rows[0]) return null;
  const { was_accepted: accepted, was_queued: queued, ...image } = rows[0];
  return { image, was: { accepted, queued } };
}

/** Sets `hidden_at` according to decisions on photos. Returns the changed ones. */
export async function hideRejected(
  db: Db,
  clientId: string,
  tokens: readonly string[],
): Promise<
  (StoredImage & {
    subject_kind: UploadSubject["kind"];
    subject_id: string;
    hidden: boolean;
  })[]
> {
  const { rows } = await db.query<
    StoredImage & {
      subject_kind: UploadSubject["kind"];
      subject_id: string;
      hidden: boolean;
    }
  >(
    `update uploads set hidden_at = case when accepted is not distinct from false then now() end
      where client_id = $1 and token = any($2) and subject_kind in ('review', 'seller_review', 'question')
        and (hidden_at is not null) <> (accepted is not distinct from false)
     returning token, key, format, width, height, sizes, subject_kind, subject_id, hidden_at is not null as hidden`,
    [clientId, tokens],
  );
  return rows;
}

/** Locks a client's imported photos until the transaction ends. False while an import runs. */
export async function tryLockPhotos(db: Db, clientId: string): Promise<boolean> {
  const { rows } = await db.query<{ locked: boolean }>(
    `select pg_try_advisory_xact_lock(${photoImportLock}) as locked`,
    [clientId],
  );
  return rows[0]?.locked === true;
}

/** Those of the keys that no upload of any client has. */
export async function selectUnusedKeys(db: Db, keys: readonly string[]): Promise<string[]> {
  const { rows } = await db.query<{ key: string }>(
    "select key from unnest($1::text[]) as k(key) where not exists (select from uploads u where u.key = k.key)",
    [keys],
  );
  return rows.map(({ key }) => key);
}
