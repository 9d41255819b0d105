import { pool, transaction } from "@/lib/platform/db/pool";
import { keyIds } from "@/lib/platform/env";
import { checkLastingSecret } from "@/lib/platform/secrets/lasting-secret";
import { currentHeader, keyIdIn, type SealedColumn, seal, tryUnseal } from "@/lib/platform/secrets/seal";

/** Values per transaction. */
const BATCH = 200;
/** Maximum number of rows listed per place. */
const MAX_LISTED = 20;

/** The result for the values of one place. */
export type PlaceReport = {
  /** table and column, with the JSON path if there is one */
  place: string;
  /** already encrypted with the current secret */
  present: number;
  /** encrypted again, or with `dryRun` to encrypt again */
  resealed: number;
  /** changed meanwhile: encrypted by a running server */
  changed: number;
  /** can't be decrypted with any secret that is set */
  lost: number;
  /** keys of the first twenty of these rows, with the id of the secret if the value contains it */
  lost_rows: { key: string[]; secret: string | null }[];
};

export type RotationReport = {
  /** ids of secrets: the current one, the one of keyed hashes, all that are set */
  present: string;
  lasting: string;
  set: string[];
  dry_run: boolean;
  places: PlaceReport[];
  resealed: number;
  lost: number;
  /** secrets that are no longer needed: they encrypt no data and make no hashes */
  needless: string[];
};

type Options = {
  dryRun?: boolean | undefined;
  onProgress?: ((report: PlaceReport) => void) | undefined;
};

/**
 * Encrypts everything in `sealedColumns` again with the current secret, in batches with a short transaction each. Skips
 * values that change meanwhile and values already done, so an interrupted run can be repeated. Reports what can't be
 * decrypted and leaves it unchanged. Safe beside running servers that have the current secret. Throws {@link
 * SettingsError} if the secret of keyed hashes isn't set.
 */
export async function rotateSecrets(
  sealedColumns: readonly SealedColumn[],
  { dryRun = false, onProgress }: Options = {},
): Promise<RotationReport> {
  await checkLastingSecret({ note: false }); // only a server's start records it: here a secret may be missing
  const places: PlaceReport[] = [];
  for (const place of sealedColumns) {
    const report = await reseal(place, dryRun);
    onProgress?.(report);
    places.push(report);
  }
  const { current, lasting, all } = keyIds();
  const sum = (count: "resealed" | "changed" | "lost") => places.reduce((total, place) => total + place[count], 0);
  return {
    present: current,
    lasting,
    set: all,
    dry_run: dryRun,
    places,
    resealed: sum("resealed"),
    lost: sum("lost"),
    // Changed values may come from a server that doesn't have the current secret yet.
    needless:
      (dryRun && sum("resealed") > 0) || sum("changed") > 0 ? [] : all.filter((id) => id !== current && id !== lasting),
  };
}

type Row = { key: string[]; sealed: Buffer };

async function reseal(place: SealedColumn, dryRun: boolean): Promise<PlaceReport> {
  const report: PlaceReport = {
    place: nameOf(place),
    present: 0,
    resealed: 0,
    changed: 0,
    lost: 0,
    lost_rows: [],
  };
  const head = currentHeader();
  for (let after: string[] | null = null; ; ) {
    const rows = await selectBatch(place, after);
    const toWrite: (Row & { made: Buffer })[] = [];
    for (const row of rows) {
      if (row.sealed.subarray(0, head.length).equals(head)) {
        // The header names the current secret; check that the value really decrypts.
        if (tryUnseal(place.purpose, row.sealed) !== null) report.present += 1;
        else recordUndecryptable(report, row);
        continue;
      }
      const text = tryUnseal(place.purpose, row.sealed);
      if (text === null) recordUndecryptable(report, row);
      else toWrite.push({ ...row, made: seal(place.purpose, text) });
    }
    const written = dryRun ? toWrite.length : await writeBatch(place, toWrite);
    report.resealed += written;
    report.changed += toWrite.length - written;
    if (rows.length < BATCH) return report;
    after = rows.at(-1)?.key ?? null;
  }
}

function recordUndecryptable(report: PlaceReport, { key, sealed }: Row): void {
  report.lost += 1;
  if (report.lost_rows.length < MAX_LISTED) report.lost_rows.push({ key, secret: keyIdIn(sealed) });
}

const nameOf = ({ table, column, path = [] }: SealedColumn): string => [table, column, ...path].join(".");

// Names of tables and columns are constants, declared next to the code that writes them.

const readOf = ({ column, path }: SealedColumn): string =>
  path ? `decode(${column} #>> '{${path.join(",")}}', 'base64')` : column;

const writeOf = ({ column, path }: SealedColumn): string =>
  path
    ? `${column} = jsonb_set(kept.${column}, '{${path.join(",")}}', to_jsonb(translate(encode(given.made, 'base64'), E'\\n', '')))`
    : `${column} = given.made`;

async function selectBatch(place: SealedColumn, after: string[] | null): Promise<Row[]> {
  const key = place.key.join(", ");
  const placeholders = place.key.map((_, index) => `$${index + 1}`).join(", ");
  const { rows } = await pool().query<Row>(
    `select array[${key}]::text[] as key, ${readOf(place)} as sealed from ${place.table}
      where length(${readOf(place)}) > 0 ${after ? `and (${key}) > (${placeholders})` : ""}
      order by ${key} limit ${BATCH}`,
    after ?? [],
  );
  return rows;
}

/** Writes the rows that still have the value that was read, and returns their number. */
async function writeBatch(place: SealedColumn, rows: (Row & { made: Buffer })[]): Promise<number> {
  if (rows.length === 0) return 0;
  const named = place.key.map((column, index) => [column, `k${index}`, `$${index + 3}`] as const);
  return transaction(async (db) => {
    const { rowCount } = await db.query(
      `update ${place.table} kept set ${writeOf(place)}
         from unnest($1::bytea[], $2::bytea[], ${named.map(([, , at]) => `${at}::text[]`).join(", ")})
              as given (was, made, ${named.map(([, name]) => name).join(", ")})
        where ${named.map(([column, name]) => `kept.${column} = given.${name}`).join(" and ")}
          and ${readOf({ ...place, column: `kept.${place.column}` })} = given.was`,
      [
        rows.map(({ sealed }) => sealed),
        rows.map(({ made }) => made),
        ...place.key.map((_, index) => rows.map(({ key }) => key[index])),
      ],
    );
    return rowCount ?? 0;
  });
}
