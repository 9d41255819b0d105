import { findTable, type PartName, partNames, parts } from "./parts";
import { ShareFault } from "./read-fault";
import type { ShareSettings } from "./settings";
import type { Share, TableName } from "./share";

/** Where each part is; null: the share has no such table. */
export type Found = Record<PartName, TableName | null>;

/** Without these nothing can be made of the share. */
export const neededParts: readonly PartName[] = ["contacts", "receipts", "items"];

/**
 * Finds the client's tables: in the schema that is set, else in the one that has most of them. Schemas may be spread, such
 * as engage_data and engage_purchases: a part that the best one does not have is taken from the next.
 */
export async function findTables(share: Share, { schema, tables }: ShareSettings): Promise<Found> {
  const places = await listPlaces(share, schema);
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
  return Object.fromEntries(partNames.map((part) => [part, first(part)])) as Found;
}

/** What lacks, as a sentence; null where everything that is needed is there. */
export function missingTables(found: Found, { tables }: ShareSettings): string | null {
  const set = partNames.filter((part) => found[part] === null && tables[part] !== null);
  const lacking = [...new Set([...neededParts.filter((part) => found[part] === null), ...set])];
  if (lacking.length === 0) return null;
  const named = lacking.map((part) => `${tables[part] ?? parts[part].guesses[0]} (${part})`);
  return `The share has no table ${named.join(", ")}. Say under tables what they are called, or have the platform share them.`;
}

/** Each share and each schema is a question, at eight a second; beyond so many the rest is not looked at. */
const MOST_PLACES = 50;

async function listPlaces(share: Share, schema: string | null): Promise<Pick<TableName, "share" | "schema">[]> {
  const [last, first] = (schema ?? "").split(".").toReversed();
  const isMeant = (name: string, meant: string | undefined) => !meant || name.toLowerCase() === meant.toLowerCase();
  const shares = (await share.shares()).filter((name) => isMeant(name, first));
  const places: Pick<TableName, "share" | "schema">[] = [];
  for (const name of shares.slice(0, MOST_PLACES)) {
    if (places.length >= MOST_PLACES) break;
    for (const own of await share.schemas(name)) if (isMeant(own, last)) places.push({ share: name, schema: own });
  }
  if (places.length === 0)
    throw new ShareFault(
      "missing",
      schema === null
        ? "The profile opens no share with anything in it. The platform has to add tables to it."
        : `The profile opens no schema ${schema}.`,
    );
  return places.slice(0, MOST_PLACES);
}
