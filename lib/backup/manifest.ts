import { z } from "zod";

/** The layout of a backup file. A reader rejects any other. */
export const FORMAT = 1;

const name = z.string().regex(/^[a-z_][a-z0-9_]{0,62}$/);
const count = z.int().nonnegative();
const sha256 = z.string().regex(/^[0-9a-f]{64}$/);
const secretId = z.string().regex(/^[0-9a-f]{8}$/);

/** Content of a backup file, in its entry `manifest.json`. */
export const Manifest = z.strictObject({
  format: z.literal(FORMAT),
  created_at: z.iso.datetime(),
  postgres: z.string(),
  /** the database's applied migrations: they define the schema of the rows */
  migrations: z.array(z.strictObject({ name: z.string().regex(/^\d{14}_\w+$/), checksum: sha256 })).min(1),
  /** ids of the secrets used for encrypted values and hashes of people; never the secrets */
  secret: z.strictObject({ current: secretId, lasting: secretId, all: z.array(secretId) }),
  /** rows, and size and SHA-256 of COPY's output before compression */
  tables: z.array(z.strictObject({ name, columns: z.array(name).min(1), rows: count, bytes: count, sha256 })),
  sequences: z.array(z.strictObject({ name, value: z.string().regex(/^-?\d{1,19}$/), called: z.boolean() })),
  /** photos and uploaded feeds; those referenced in the database but not in the file store are `missing` */
  files: z.strictObject({ count, bytes: count, missing: z.array(z.string()) }),
});
export type Manifest = z.infer<typeof Manifest>;
