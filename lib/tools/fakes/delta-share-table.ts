import { randomUUID } from "node:crypto";
import { type BasicType, parquetWriteBuffer } from "hyparquet-writer";

/** A value in a Parquet file; its column's type determines the kind. */
export type Cell = string | number | bigint | boolean | Date | null;
export type DeltaShareRow = Record<string, Cell>;
/** `TIMESTAMP_MICROS` takes ISO texts with up to six fractional digits. */
export type DeltaShareColumn = {
  name: string;
  type: BasicType | "TIMESTAMP_MICROS";
};

/** A file of a table: real Parquet, whose id identifies its content. */
export type DeltaShareFile = {
  id: string;
  bytes: Buffer;
  /** the version that added it */
  version: number;
  rows: number;
  /** minimum and maximum of each column that has values */
  stats: { minValues: DeltaShareRow; maxValues: DeltaShareRow };
  partitionValues: Record<string, string>;
};

type Version = {
  files: DeltaShareFile[];
  added: DeltaShareFile[];
  changes: DeltaShareFile[] | null;
};

export type TableOptions = {
  share?: string;
  schema?: string;
  /** a partition column: its values are in the listing, not in the files */
  partition?: string;
  /** whether changes and earlier versions may be read */
  history?: boolean;
  /** with deletion vectors: only readers of Delta's own format receive it */
  requiresDeltaFormat?: boolean;
  rowGroupSize?: number;
};

/** A table of a share, with versions and the files of each. Tables of partners grow by appending. */
export class DeltaShareTable {
  readonly id = randomUUID();
  readonly versions: Version[] = [{ files: [], added: [], changes: [] }];
  /** versions below are deleted */
  oldest = 0;
  readonly share: string;
  readonly schema: string;

  constructor(
    readonly name: string,
    readonly columns: DeltaShareColumn[],
    readonly options: TableOptions = {},
  ) {
    this.share = options.share ?? "engage_share";
    this.schema = options.schema ?? "engage_data";
  }

  get version(): number {
    return this.versions.length - 1;
  }

  /** Adds a version with these rows in a new file, in addition to the existing files. */
  append(rows: DeltaShareRow[]): DeltaShareFile {
    const file = this.#file(rows);
    this.versions.push({
      files: [...this.#currentFiles(), file],
      added: [file],
      changes: null,
    });
    return file;
  }

  /** Adds a version with only these rows, as views of the latest rows are rebuilt. */
  overwrite(rows: DeltaShareRow[]): DeltaShareFile {
    const file = this.#file(rows);
    this.versions.push({ files: [file], added: [file], changes: null });
    return file;
  }

  /** Adds a version with an invalid Parquet file. */
  appendBroken(): DeltaShareFile {
    const file = {
      ...this.#file([]),
      bytes: Buffer.from("PAR1 this is no such file PAR1"),
      rows: 1,
    };
    this.versions.push({
      files: [...this.#currentFiles(), file],
      added: [file],
      changes: null,
    });
    return file;
  }

  /** Adds a version with a change data feed; each row has its `_change_type`. */
  change(changes: (DeltaShareRow & { _change_type: string })[]): DeltaShareFile {
    const remaining = changes.filter(({ _change_type }) => !_change_type.startsWith("delete"));
    const file = this.#file(remaining.map(({ _change_type: _, ...row }) => row));
    const version = this.versions.length;
    const changeFile = this.#file(
      changes.map((row) => ({
        ...row,
        _commit_version: version,
        _commit_timestamp: "2026-03-01T00:00:00Z",
      })),
      [
        ...this.columns,
        { name: "_change_type", type: "STRING" },
        { name: "_commit_version", type: "INT64" },
        { name: "_commit_timestamp", type: "TIMESTAMP_MICROS" },
      ],
    );
    this.versions.push({
      files: [...this.#currentFiles(), file],
      added: [file],
      changes: [changeFile],
    });
    return changeFile;
  }

  /** `metaData` of the protocol. */
  metadata(): object {
    const { partition, history } = this.options;
    const fields = this.columns.map(({ name, type }) => ({
      name,
      type: sparkTypes[type] ?? "string",
      nullable: true,
      metadata: {},
    }));
    return {
      id: this.id,
      name: this.name,
      format: { provider: "parquet" },
      schemaString: JSON.stringify({ type: "struct", fields }),
      partitionColumns: partition ? [partition] : [],
      configuration: history ? { enableChangeDataFeed: "true" } : {},
    };
  }

  #currentFiles(): DeltaShareFile[] {
    return this.versions.at(-1)?.files ?? [];
  }

  #file(rows: DeltaShareRow[], columns = this.columns): DeltaShareFile {
    const { partition, rowGroupSize = 100 } = this.options;
    const storedColumns = columns.filter(({ name }) => name !== partition);
    const schema = [
      { name: "root", num_children: storedColumns.length },
      ...storedColumns.map(({ name, type }) => ({
        name,
        repetition_type: "OPTIONAL" as const,
        ...elementOf(type),
      })),
    ];
    const columnData = storedColumns.map(({ name, type }) => ({
      name,
      data: rows.map((row) => cellOf(row[name] ?? null, type)),
    }));
    const bytes = Buffer.from(parquetWriteBuffer({ columnData, schema, rowGroupSize }));
    const stats: DeltaShareFile["stats"] = { minValues: {}, maxValues: {} };
    for (const { name } of storedColumns) {
      const values = rows.flatMap((row) => row[name] ?? []).sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
      const [min, max] = [values[0], values.at(-1)];
      if (min === undefined || max === undefined) continue;
      stats.minValues[name] = min;
      stats.maxValues[name] = max;
    }
    const partitionValues = partition ? { [partition]: String(rows[0]?.[partition] ?? "") } : {};
    const id = randomUUID().replaceAll("-", "");
    return {
      id,
      bytes,
      version: this.versions.length,
      rows: rows.length,
      stats,
      partitionValues,
    };
  }
}

const sparkTypes: Partial<Record<DeltaShareColumn["type"], string>> = {
  BOOLEAN: "boolean",
  INT32: "integer",
  INT64: "long",
  FLOAT: "float",
  DOUBLE: "double",
  TIMESTAMP: "timestamp",
  TIMESTAMP_MICROS: "timestamp",
};

function elementOf(type: DeltaShareColumn["type"]) {
  if (type === "TIMESTAMP_MICROS") return { type: "INT64", converted_type: "TIMESTAMP_MICROS" } as const;
  if (type === "TIMESTAMP") return { type: "INT64", converted_type: "TIMESTAMP_MILLIS" } as const;
  if (type === "STRING") return { type: "BYTE_ARRAY", converted_type: "UTF8" } as const;
  if (type === "BOOLEAN" || type === "INT32" || type === "INT64" || type === "FLOAT" || type === "DOUBLE")
    return { type };
  throw new Error(`The fake server can't write columns of type ${type}.`);
}

function cellOf(value: Cell, type: DeltaShareColumn["type"]): Cell {
  if (value === null) return null;
  if (type === "TIMESTAMP_MICROS") {
    const [, whole = "", fraction = ""] = /^(.+?)(?:\.(\d+))?Z?$/.exec(String(value)) ?? [];
    return BigInt(Date.parse(`${whole}Z`)) * 1_000n + BigInt(fraction.padEnd(6, "0").slice(0, 6) || 0);
  }
  if (type === "TIMESTAMP") return value instanceof Date ? value : new Date(String(value));
  return type === "INT64" ? BigInt(value as number) : value;
}
