import type { Notice } from "@/lib/platform/issue";
import type { DeltaShareClient, TableName } from "./client";
import type { ShareSettings } from "./settings";
import { ShareError } from "./share-error";
import { matchTable, type PartName, partNames, parts } from "./share-tables";

/** Table of each part; null if there is none. */
export type FoundTables = Record<PartName, TableName | null>;

/** Parts without which the share can't be imported. */
export const requiredParts: readonly PartName[] = ["contacts", "receipts", "items"];

/**
 * Finds the client's tables: in the configured schema, else in the schema with most of them. Tables may be spread over
 * schemas, such as engage_data and engage_purchases: parts missing in the best schema come from the next one.
 * `missing`: required or configured tables that are missing; null if there are none.
 */
export async function findTables(
  share: DeltaShareClient,
  { schema, tables }: ShareSettings,
): Promise<{ found: FoundTables; missing: Notice | null }> {
  const { places, more } = await listSchemas(share, schema);
  const all: { found: FoundTables; hits: number }[] = [];
  for (const place of places) {
    const names = await share.tables(place.share, place.schema);
    const entries = partNames.map((part) => {
      const name = matchTable(part, tables[part], names);
      return [part, name === null ? null : { ...place, name }] as const;
    });
    const found = Object.fromEntries(entries) as FoundTables;
    all.push({ found, hits: entries.filter(([, table]) => table !== null).length });
  }
  all.sort((one, other) => other.hits - one.hits);
  const first = (part: PartName) => all.map(({ found }) => found[part]).find((table) => table !== null) ?? null;
  const found = Object.fromEntries(partNames.map((part) => [part, first(part)])) as FoundTables;
  return { found, missing: missingTables(found, tables, more) };
}

function missingTables(found: FoundTables, tables: ShareSettings["tables"], more: boolean): Notice | null {
  const set = partNames.filter((part) => found[part] === null && tables[part] !== null);
  const missing = [...new Set([...requiredParts.filter((part) => found[part] === null), ...set])];
  if (missing.length === 0) return null;
  const labels = missing.map((part) => `${tables[part] ?? parts[part].guesses[0]} (${part})`);
  if (more) return { reason: "tables_not_in_first_places", params: { names: labels.join(", "), max: MAX_SCHEMAS } };
  return { reason: "share_without_tables", params: { names: labels.join(", ") } };
}

/** Each share and schema costs a request, at eight per second. Schemas beyond this are ignored. */
const MAX_SCHEMAS = 50;

type SchemaName = Pick<TableName, "share" | "schema">;

/** Schemas to search. `more`: some were left out. Throws if there are none. */
async function listSchemas(
  share: DeltaShareClient,
  schema: string | null,
): Promise<{ places: SchemaName[]; more: boolean }> {
  const [last, first] = (schema ?? "").split(".").toReversed();
  const matchesName = (name: string, meant: string | undefined) => !meant || name.toLowerCase() === meant.toLowerCase();
  const shares = (await share.shares()).filter((name) => matchesName(name, first));
  const schemas: SchemaName[] = [];
  let listedShares = 0;
  while (listedShares < Math.min(shares.length, MAX_SCHEMAS) && schemas.length < MAX_SCHEMAS) {
    const name = shares[listedShares++] as string;
    for (const own of await share.schemas(name)) if (matchesName(own, last)) schemas.push({ share: name, schema: own });
  }
  const more = listedShares < shares.length || schemas.length > MAX_SCHEMAS;
  if (schemas.length === 0) throw new ShareError("missing", noSchemaNotice(schema, more));
  return { places: schemas.slice(0, MAX_SCHEMAS), more };
}

function noSchemaNotice(schema: string | null, more: boolean): Notice {
  if (schema === null)
    return more ? { reason: "first_shares_empty", params: { max: MAX_SCHEMAS } } : { reason: "share_profile_empty" };
  return more
    ? { reason: "schema_not_in_first_shares", params: { max: MAX_SCHEMAS, name: schema } }
    : { reason: "share_without_schema", params: { name: schema } };
}
