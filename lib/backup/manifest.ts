import { z } from "zod";

/** The layout of a backup file. A reader refuses any other. */
export const FORMAT = 1;

const name = z.string().regex(/^[a-z_][a-z0-9_]{0,62}$/);
const count = z.int().nonnegative();
const sha256 = z.string().regex(/^[0-9a-f]{64}$/);
const secretId = z.string().regex(/^[0-9a-f]{8}$/);

/** What a backup file holds, as its entry `manifest.json` says. */
export const Manifest = z.strictObject({
  format: z.literal(FORMAT),
  created_at: z.iso.datetime(),
  postgres: z.string(),
  /** migrations that the database had applied: they say which schema the rows are of */
  migrations: z.array(z.strictObject({ name: z.string().regex(/^\d{14}_\w+$/), checksum: sha256 })).min(1),
  /** ids of the secrets that sealed values and hashes of people were made with; never the secrets */
  secret: z.strictObject({ current: secretId, lasting: secretId, all: z.array(secretId) }),
  /** rows, and size and SHA-256 of what COPY wrote, before it was compressed */
  tables: z.array(z.strictObject({ name, columns: z.array(name).min(1), rows: count, bytes: count, sha256 })),
  sequences: z.array(z.strictObject({ name, value: z.string().regex(/^-?\d{1,19}$/), called: z.boolean() })),
  /** photos and uploaded feeds; those that the database knows and the file store has not are `missing` */
  files: z.strictObject({ count, bytes: count, missing: z.array(z.string()) }),
});
export type Manifest = z.infer<typeof Manifest>;
