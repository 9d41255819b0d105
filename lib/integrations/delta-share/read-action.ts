import { isStorable } from "@/lib/platform/storable-text";

/** A table's columns and id. A recreated table has another id. */
export type TableMeta = {
  id: string;
  columns: string[];
  partitionColumns: string[];
  hasChangeFeed: boolean;
};

/** A file of a table. Its URL is a secret while it's valid, and is never stored. */
export type FileAction = {
  /** the same id means the same content */
  id: string;
  url: string;
  size: number;
  /** milliseconds since 1970; null if unknown */
  expiresAt: number | null;
  partitionValues: Record<string, string | null>;
};

export type Action =
  | { kind: "file"; file: FileAction }
  | { kind: "meta"; meta: TableMeta }
  | { kind: "end"; next: string | null }
  | { kind: "unreadable" }
  | { kind: "unknown" };

type Json = Record<string, unknown>;

/** Parses a line of a listing. Unknown actions, such as removals, are ignored. */
export function readAction(line: unknown): Action {
  const { protocol, metaData, file, add, cdf, endStreamAction } = objectOf(line);
  if (protocol !== undefined) {
    const { minReaderVersion, deltaProtocol } = objectOf(protocol);
    const isKnown = deltaProtocol === undefined && !(Number(minReaderVersion) > 1);
    return { kind: isKnown ? "unknown" : "unreadable" };
  }
  if (metaData !== undefined) return readMeta(objectOf(metaData));
  const fileEntry = file ?? add ?? cdf;
  if (fileEntry !== undefined) return readFile(objectOf(fileEntry));
  if (endStreamAction !== undefined) {
    const { nextPageToken } = objectOf(endStreamAction);
    return {
      kind: "end",
      next: typeof nextPageToken === "string" && nextPageToken !== "" ? nextPageToken : null,
    };
  }
  return { kind: "unknown" };
}

function readMeta({ id, schemaString, partitionColumns, format, configuration, deltaMetadata }: Json): Action {
  const { provider = "parquet" } = objectOf(format);
  if (deltaMetadata !== undefined || provider !== "parquet") return { kind: "unreadable" };
  const { fields } = objectOf(parseJson(schemaString));
  const columns = (Array.isArray(fields) ? fields : []).flatMap((field) => nameOf(objectOf(field).name) ?? []);
  const partitions = (Array.isArray(partitionColumns) ? partitionColumns : []).flatMap((name) => nameOf(name) ?? []);
  const hasChangeFeed = String(objectOf(configuration).enableChangeDataFeed) === "true";
  return {
    kind: "meta",
    meta: {
      id: nameOf(id) ?? "",
      columns,
      partitionColumns: partitions,
      hasChangeFeed,
    },
  };
}

function readFile({ url, id, size, expirationTimestamp, partitionValues, deltaSingleAction }: Json): Action {
  const [address, own] = [textOf(url), nameOf(id)];
  if (deltaSingleAction !== undefined || !address || !own) return { kind: "unreadable" };
  const ends = Number(expirationTimestamp ?? Number.NaN);
  const values = Object.entries(objectOf(partitionValues)).map(([name, value]) => [name, textOf(value) ?? null]);
  return {
    kind: "file",
    file: {
      id: own,
      url: address,
      size: Number(size) || 0,
      expiresAt: Number.isFinite(ends) ? ends : null,
      partitionValues: Object.fromEntries(values),
    },
  };
}

const objectOf = (value: unknown): Json =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Json) : {};
const textOf = (value: unknown): string | undefined => (typeof value === "string" && value !== "" ? value : undefined);

/** Longer than any real name or id. */
const MAX_NAME_LENGTH = 1_000;
/** A name or id of the share, which is stored and shown. Undefined if it can't be stored unchanged. */
export const nameOf = (value: unknown): string | undefined => {
  const name = textOf(value);
  return name !== undefined && isStorable(name, MAX_NAME_LENGTH) ? name : undefined;
};

function parseJson(text: unknown): unknown {
  try {
    return JSON.parse(String(text));
  } catch {
    return undefined; // a table without known columns, which is reported when they are mapped
  }
}
