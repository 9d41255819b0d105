import { pool, transaction } from "@/lib/platform/db/pool";
import { keyIds } from "@/lib/platform/env";
import { checkLastingSecret } from "@/lib/platform/secrets/lasting-secret";
import { currentHeader, keyIdIn, type SealedColumn, seal, tryUnseal } from "@/lib/platform/secrets/seal";

/** Values that are read and written together. */
const BATCH = 200;
/** Rows that a report names of each place. */
const MAX_LISTED = 20;

/** What became of the values of one place. */
export type PlaceReport = {
  /** table and column, with the way into it where that is JSON */
  place: string;
  /** sealed with the present secret before */
  present: number;
  /** sealed anew; with `dryRun` what would be */
  resealed: number;
  /** changed by somebody else meanwhile: sealed by a server that runs */
  changed: number;
  /** cannot be opened by any secret that is set */
  lost: number;
  /** whose those are: the keys of the first twenty rows, and the id of the secret where the value names it */
  lost_rows: { key: string[]; secret: string | null }[];
};

export type RotationReport = {
  /** ids of secrets: the present one, the one that keyed hashes are made with, all that are set */
  present: string;
  lasting: string;
  set: string[];
  dry_run: boolean;
  places: PlaceReport[];
  resealed: number;
  lost: number;
  /** secrets that are set and needed no more: they seal nothing and make no hashes */
  needless: string[];
};

type Options = {
  dryRun?: boolean | undefined;
  onProgress?: ((report: PlaceReport) => void) | undefined;
};

/**
 * Seals everything in `sealedColumns` anew with the present secret, a batch and a short transaction at a time. A value that
 * changes meanwhile is left as it was changed. Whoever is stopped in the middle begins again: what is done is passed over.
 * What cannot be opened stays as it is and is told. Safe beside running servers, provided that they know the present secret.
 * Throws {@link SettingsError} where the secrets that are set lack the one that keyed hashes are made with.
 */
export async function rotateSecrets(
  sealedColumns: readonly SealedColumn[],
  { dryRun = false, onProgress }: Options = {},
): Promise<RotationReport> {
  await checkLastingSecret({ note: false }); // what the server notes at its start: here a secret may be forgotten still
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
    // What changed meanwhile may have been sealed by a server that does not know the present secret yet.
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
        // Said to be the present secret's: whether it opens is what counts.
        if (tryUnseal(place.purpose, row.sealed) !== null) report.present += 1;
        else recordLost(report, row);
        continue;
      }
      const text = tryUnseal(place.purpose, row.sealed);
      if (text === null) recordLost(report, row);
      else toWrite.push({ ...row, made: seal(place.purpose, text) });
    }
    const written = dryRun ? toWrite.length : await writeBatch(place, toWrite);
    report.resealed += written;
    report.changed += toWrite.length - written;
    if (rows.length < BATCH) return report;
    after = rows.at(-1)?.key ?? null;
  }
}

function recordLost(report: PlaceReport, { key, sealed }: Row): void {
  report.lost += 1;
  if (report.lost_rows.length < MAX_LISTED) report.lost_rows.push({ key, secret: keyIdIn(sealed) });
}

const nameOf = ({ table, column, path = [] }: SealedColumn): string => [table, column, ...path].join(".");

// Names of tables and columns are the program's own, declared beside what writes them.

const readOf = ({ column, path }: SealedColumn): string =>
  path ? `decode(${column} #>> '{${path.join(",")}}', 'base64')` : column;

const writeOf = ({ column, path }: SealedColumn): string =>
  path
    ? `${column} = jsonb_set(kept.${column}, '{${path.join(",")}}', to_jsonb(translate(encode(given.made, 'base64'), E'\\n', '')))`
    : `${column} = given.made`;

async function selectBatch(place: SealedColumn, after: string[] | null): Promise<Row[]> {
  const key = place.key.join(", ");
  const places = place.key.map((_, index) => `$${index + 1}`).join(", ");
  const { rows } = await pool().query<Row>(
    `select array[${key}]::text[] as key, ${readOf(place)} as sealed from ${place.table}
      where length(${readOf(place)}) > 0 ${after ? `and (${key}) > (${places})` : ""}
      order by ${key} limit ${BATCH}`,
    after ?? [],
  );
  return rows;
}

/** How many were written: those that hold what was read. */
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
