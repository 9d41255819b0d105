import { z } from "zod";

/** The layout of a backup file. A reader rejects any other. */
export const FORMAT = 1;

const name = z.string().regex(/^[a-z_][a-z0-9_]{0,62}$/);
const count = z.int().nonnegative();
const sha256 = z.string().regex(/^[0-9a-f]{64}$/);
const secretId = z.string().regex(/^[0-9a-f]{8}$/);

const migration = z.strictObject({ name: z.string().regex(/^\d{14}_\w+$/), checksum: sha256 });
/** Rows of a table, and size and SHA-256 of COPY's output before compression. */
const table = z.strictObject({ name, columns: z.array(name).min(1), rows: count, bytes: count, sha256 });
/** Those referenced in the database but not in the file store are `missing`. */
const files = z.strictObject({ count, bytes: count, missing: z.array(z.string()) });

export type TableContent = z.infer<typeof table>;
export type FilesContent = z.infer<typeof files>;

/** Content of a backup file, in its entry `manifest.json`. */
export const Manifest = z.strictObject({
  format: z.literal(FORMAT),
  created_at: z.iso.datetime(),
  postgres: z.string(),
  /** the database's applied migrations: they define the schema of the rows */
  migrations: z.array(migration).min(1),
  /** ids of the secrets used for encrypted values and hashes of people; never the secrets */
  secret: z.strictObject({ current: secretId, lasting: secretId, all: z.array(secretId) }),
  tables: z.array(table),
  sequences: z.array(z.strictObject({ name, value: z.string().regex(/^-?\d{1,19}$/), called: z.boolean() })),
  /** photos and uploaded feeds */
  files,
});
export type Manifest = z.infer<typeof Manifest>;

/** The layout of a store's archive. A reader rejects any other. */
export const STORE_FORMAT = 1;

/** Content of a store's archive, in its entry `manifest.json`. */
export const StoreManifest = z.strictObject({
  format: z.literal(STORE_FORMAT),
  created_at: z.iso.datetime(),
  client: z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/),
  /** the database's last migration: an import needs the same */
  migration,
  /** id of the secret used for hashes of people; never the secret */
  secret: secretId,
  tables: z.array(table),
  /** photos */
  files,
});
export type StoreManifest = z.infer<typeof StoreManifest>;
