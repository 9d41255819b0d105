import type { Notice } from "@/lib/platform/issue";
import { findTable, type PartName, partNames, parts } from "./parts";
import { ShareFault } from "./read-fault";
import type { ShareSettings } from "./settings";
import type { Share, TableName } from "./share";

/** Where each part is; null: no table of it was found. */
export type Found = Record<PartName, TableName | null>;

/** Without these nothing can be made of the share. */
export const neededParts: readonly PartName[] = ["contacts", "receipts", "items"];

/**
 * Finds the client's tables: in the schema that is set, else in the one that has most of them. Schemas may be spread, such
 * as engage_data and engage_purchases: a part that the best one does not have is taken from the next. `lacking`: what is
 * needed or set and was not found; null where all is there.
 */
export async function findTables(
  share: Share,
  { schema, tables }: ShareSettings,
): Promise<{ found: Found; lacking: Notice | null }> {
  const { places, more } = await listPlaces(share, schema);
  const all: { found: Found; hits: number }[] = [];
  for (const place of places) {
    const names = await share.tables(place.share, place.schema);
    const entries = partNames.map((part) => {
      const name = findTable(part, tables[part], names);
      return [part, name === null ? null : { ...place, name }] as const;
    });
    const found = Object.fromEntries(entries) as Found;
    all.push({ found, hits: entries.filter(([, table]) => table !== null).length });
  }
  all.sort((one, other) => other.hits - one.hits);
  const first = (part: PartName) => all.map(({ found }) => found[part]).find((table) => table !== null) ?? null;
  const found = Object.fromEntries(partNames.map((part) => [part, first(part)])) as Found;
  return { found, lacking: whatLacks(found, tables, more) };
}

function whatLacks(found: Found, tables: ShareSettings["tables"], more: boolean): Notice | null {
  const set = partNames.filter((part) => found[part] === null && tables[part] !== null);
  const lacking = [...new Set([...neededParts.filter((part) => found[part] === null), ...set])];
  if (lacking.length === 0) return null;
  const named = lacking.map((part) => `${tables[part] ?? parts[part].guesses[0]} (${part})`);
  if (more) return { reason: "tables_not_in_first_places", params: { names: named.join(", "), max: MOST_PLACES } };
  return { reason: "share_without_tables", params: { names: named.join(", ") } };
}

/** Each share and each schema is a question, at eight a second; beyond so many the rest is not looked at. */
const MOST_PLACES = 50;

type Place = Pick<TableName, "share" | "schema">;

/** The schemas to look at. `more`: there are others beyond them. Throws where there is none. */
async function listPlaces(share: Share, schema: string | null): Promise<{ places: Place[]; more: boolean }> {
  const [last, first] = (schema ?? "").split(".").toReversed();
  const isMeant = (name: string, meant: string | undefined) => !meant || name.toLowerCase() === meant.toLowerCase();
  const shares = (await share.shares()).filter((name) => isMeant(name, first));
  const places: Place[] = [];
  let asked = 0;
  while (asked < Math.min(shares.length, MOST_PLACES) && places.length < MOST_PLACES) {
    const name = shares[asked++] as string;
    for (const own of await share.schemas(name)) if (isMeant(own, last)) places.push({ share: name, schema: own });
  }
  const more = asked < shares.length || places.length > MOST_PLACES;
  if (places.length === 0) throw new ShareFault("missing", nothingThere(schema, more));
  return { places: places.slice(0, MOST_PLACES), more };
}

function nothingThere(schema: string | null, more: boolean): Notice {
  if (schema === null)
    return more ? { reason: "first_shares_empty", params: { max: MOST_PLACES } } : { reason: "share_profile_empty" };
  return more
    ? { reason: "schema_not_in_first_shares", params: { max: MOST_PLACES, name: schema } }
    : { reason: "share_without_schema", params: { name: schema } };
}
