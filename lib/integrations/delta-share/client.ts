import { setTimeout as sleep } from "node:timers/promises";
import { env } from "@/lib/platform/env";
import { AppError } from "@/lib/platform/errors";
import { type GuardedResponse, guardedFetch } from "@/lib/platform/http/guarded-fetch";
import type { Profile } from "./profile";
import { type FileAction, nameOf, readAction, type TableMeta } from "./read-action";
import { ShareError, toShareError, unreadableFormat } from "./share-error";

export type TableName = { share: string; schema: string; name: string };

/** A table's version, columns and files to read. */
export type Listing = { version: number; meta: TableMeta; files: FileAction[] };

export type ShareOptions = {
  profile: Profile;
  /** waits for a request slot */
  waitForSlot?: () => Promise<void>;
  /** called after a 429 with the seconds to wait */
  onRateLimited?: (seconds: number) => Promise<void>;
  /** milliseconds between attempts while the share is busy; the number of retries equals the length */
  retryDelays?: number[];
  /** milliseconds per response */
  timeout?: number;
};

/**
 * The platform rejects more than ten requests per second and profile, across all of its users; the margin allows for
 * clock and network differences.
 */
export const PER_SECOND = 8;
/** Longer waits are left to the job, which holds no resources meanwhile. */
const MAX_RETRY_AFTER_SECONDS = 15;
/** Wait after a 429 without `Retry-After`. */
const DEFAULT_RETRY_AFTER_SECONDS = 10;
const MAX_LIST_BYTES = 4 * 1024 * 1024;
const MAX_LISTING_BYTES = 256 * 1024 * 1024;
/** Maximum length to read of an error response. */
const MAX_ERROR_BYTES = 64 * 1024;
/** A file's line contains its statistics; our columns need no more than this. */
const MAX_LINE_LENGTH = 4 * 1024 * 1024;
const MAX_FILES = 50_000;
const MAX_PAGES = 1_000;
/** A share has few tables; names beyond this are ignored. */
const MAX_NAMES = 2_000;
/** Maximum pages of names: a list of empty pages may be endless. */
const MAX_NAME_PAGES = 100;

type Call = {
  method?: "GET" | "POST";
  body?: object;
  what: string;
  maxBytes: number;
};

/**
 * Client of a Delta Sharing server: authenticated with the profile's token, guarded against internal addresses, rate
 * limited, and retrying transient errors. It only reads. Every rejection is a {@link ShareError}.
 */
export class DeltaShareClient {
  readonly #options: ShareOptions;

  constructor(options: ShareOptions) {
    this.#options = options;
    if (!options.profile.endpoint.startsWith("https://") && !env().ALLOW_PRIVATE_URLS)
      throw new ShareError("rejected", { reason: "profile_endpoint_not_https" });
  }

  /** Names of the profile's shares. */
  shares(): Promise<string[]> {
    return this.#names("/shares", "shares");
  }

  schemas(share: string): Promise<string[]> {
    return this.#names(`/shares/${encodeSegment(share)}/schemas`, `share ${share}`);
  }

  tables(share: string, schema: string): Promise<string[]> {
    return this.#names(`/shares/${encodeSegment(share)}/schemas/${encodeSegment(schema)}/tables`, `schema ${schema}`);
  }

  /** Current version of a table: the cheapest way to detect changes. */
  version(table: TableName): Promise<number> {
    const what = `table ${table.name}`;
    return this.#withRetries(async () => {
      const answer = await this.#call(`${pathOf(table)}/version`, {
        what,
        maxBytes: MAX_LIST_BYTES,
      });
      await readText(answer);
      return versionOf(answer, what);
    });
  }

  /** A table's columns, without its files. */
  async metadata(table: TableName): Promise<TableMeta> {
    return (await this.#listing(table, `${pathOf(table)}/metadata`, { version: 0 })).meta;
  }

  /** Files of the current version. `limit`: maximum number of rows; `hints`: predicates. The server may ignore both. */
  async query(table: TableName, { limit, hints }: { limit?: number; hints?: string[] } = {}): Promise<Listing> {
    const body = {
      ...(hints && hints.length > 0 && { predicateHints: hints }),
      ...(limit !== undefined && { limitHint: limit }),
    };
    const first = await this.#listing(table, `${pathOf(table)}/query`, {
      method: "POST",
      body,
    });
    let { next } = first;
    for (let page = 1; next !== null; page++) {
      if (page > MAX_PAGES) throw tooManyFiles(table);
      const more = await this.#listing(table, `${pathOf(table)}/query`, {
        method: "POST",
        body: { ...body, pageToken: next },
      });
      first.files.push(...more.files);
      if (first.files.length > MAX_FILES) throw tooManyFiles(table);
      next = more.next;
    }
    return first;
  }

  /**
   * Files with the changes between two versions. Throws {@link ShareError} `rejected` or `missing` if changes aren't
   * shared, or not from that version on.
   */
  changes(table: TableName, from: number, to: number): Promise<Listing> {
    return this.#listing(table, `${pathOf(table)}/changes?startingVersion=${from}&endingVersion=${to}`, {
      version: to,
    });
  }

  async #names(path: string, what: string): Promise<string[]> {
    const names: string[] = [];
    let token: string | null = null;
    let pages = 0;
    do {
      const query: string = token === null ? "" : `?pageToken=${encodeSegment(token)}`;
      const { items, nextPageToken } = await this.#json(path + query, what);
      for (const item of Array.isArray(items) ? items : []) {
        const name = nameOf((item as { name?: unknown } | null)?.name);
        if (name !== undefined) names.push(name);
      }
      token = typeof nextPageToken === "string" && nextPageToken !== "" ? nextPageToken : null;
    } while (token !== null && names.length < MAX_NAMES && ++pages < MAX_NAME_PAGES);
    return names;
  }

  #json(path: string, what: string): Promise<{ items?: unknown; nextPageToken?: unknown }> {
    return this.#withRetries(async () => {
      const body = await readText(await this.#call(path, { what, maxBytes: MAX_LIST_BYTES }));
      try {
        const value: unknown = JSON.parse(body);
        if (typeof value === "object" && value !== null) return value;
      } catch {
        // not JSON: reported below
      }
      throw new ShareError("missing", { reason: "no_delta_sharing_server" });
    });
  }

  #listing(
    table: TableName,
    path: string,
    { method, body, version }: Pick<Call, "method" | "body"> & { version?: number },
  ): Promise<Listing & { next: string | null }> {
    const what = `table ${table.name}`;
    return this.#withRetries(async () => {
      const answer = await this.#call(path, {
        method,
        body,
        what,
        maxBytes: MAX_LISTING_BYTES,
      });
      const files: FileAction[] = [];
      let meta: TableMeta | null = null;
      let next: string | null = null;
      for await (const line of readJsonLines(answer)) {
        const action = readAction(line);
        if (action.kind === "unknown") continue;
        if (action.kind === "unreadable") throw new ShareError("unreadable", unreadableFormat(`Table ${table.name}`));
        if (action.kind === "meta") meta = action.meta;
        if (action.kind === "end") next = action.next;
        if (action.kind === "file" && files.push(action.file) > MAX_FILES) throw tooManyFiles(table);
      }
      if (!meta) throw new ShareError("busy", { reason: "table_not_described", params: { name: table.name } });
      return { version: version ?? versionOf(answer, what), meta, files, next };
    });
  }

  /** Retries while the share or the network is busy. Longer waits are up to the caller. */
  async #withRetries<T>(work: () => Promise<T>): Promise<T> {
    const retryDelays = this.#options.retryDelays ?? [1_000, 4_000];
    for (let attempt = 0; ; attempt++) {
      try {
        return await work();
      } catch (error) {
        const shareError = asShareError(error);
        if (shareError?.kind !== "busy") throw shareError ?? error;
        const { status, retryAfter = status === 429 ? DEFAULT_RETRY_AFTER_SECONDS : 0 } = shareError.details;
        if (status === 429) await this.#options.onRateLimited?.(retryAfter);
        const delay = retryDelays[attempt];
        if (delay === undefined || retryAfter > MAX_RETRY_AFTER_SECONDS) throw shareError;
        await sleep(Math.max(delay, retryAfter * 1_000));
      }
    }
  }

  async #call(path: string, { method = "GET", body, what, maxBytes }: Call): Promise<GuardedResponse> {
    const { profile, waitForSlot, timeout } = this.#options;
    await waitForSlot?.();
    const response = await guardedFetch(`${profile.endpoint}${path}`, {
      method,
      headers: {
        accept: "application/json, application/x-ndjson",
        authorization: `Bearer ${profile.bearerToken}`,
        ...(body && { "content-type": "application/json; charset=utf-8" }),
      },
      body: body && JSON.stringify(body),
      maxRedirects: 0,
      maxBytes,
      timeout: timeout ?? 120_000,
      idleTimeout: timeout ?? 30_000,
    });
    if (response.status === 200) return response;
    const errorText = await readText(response, MAX_ERROR_BYTES).catch(() => "");
    throw toShareError(response.status, response.headers, errorText.replaceAll(profile.bearerToken, "…"), what);
  }
}

/** Network errors count as transient errors of the share. Null for errors that the share didn't cause. */
export function asShareError(error: unknown): ShareError | null {
  if (error instanceof ShareError) return error;
  if (error instanceof AppError && error.code === "unavailable")
    return new ShareError("busy", error.issues, { cause: error });
  if (error instanceof AppError && error.code === "too_large")
    return new ShareError("unreadable", error.issues, { cause: error });
  // An internal address, which must not be requested.
  if (error instanceof AppError && error.code === "invalid_field")
    return new ShareError("rejected", error.issues, { cause: error });
  return null;
}

/** Lone surrogates, which a token may contain, can't be encoded. */
const encodeSegment = (text: string): string => encodeURIComponent(text.toWellFormed());
const pathOf = ({ share, schema, name }: TableName): string =>
  `/shares/${encodeSegment(share)}/schemas/${encodeSegment(schema)}/tables/${encodeSegment(name)}`;

const tooManyFiles = ({ name }: TableName) =>
  new ShareError("unreadable", { reason: "table_of_too_many_files", params: { name, max: MAX_FILES } });

function versionOf({ headers }: GuardedResponse, what: string): number {
  const version = Number(headers["delta-table-version"] ?? Number.NaN);
  if (Number.isSafeInteger(version) && version >= 0) return version;
  throw new ShareError("missing", { reason: "table_version_missing", params: { what } });
}

async function readText({ body }: GuardedResponse, maxBytes = Number.POSITIVE_INFINITY): Promise<string> {
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of body) {
    pieces.push(piece);
    bytes += piece.length;
    if (bytes >= maxBytes) break;
  }
  return Buffer.concat(pieces).toString("utf8");
}

/** Parses the response line by line. An incomplete last line means that the connection broke. */
async function* readJsonLines({ body }: GuardedResponse): AsyncGenerator<unknown> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const piece of body) {
    rest += decoder.decode(piece, { stream: true });
    let end = rest.indexOf("\n");
    for (; end >= 0; end = rest.indexOf("\n")) {
      const line = rest.slice(0, end).trim();
      rest = rest.slice(end + 1);
      if (line) yield parseLine(line);
    }
    if (rest.length > MAX_LINE_LENGTH) throw new ShareError("unreadable", { reason: "share_line_too_long" });
  }
  rest = (rest + decoder.decode()).trim();
  if (rest) yield parseLine(rest);
}

function parseLine(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch (error) {
    throw new ShareError(
      "busy",
      { reason: "share_answer_cut_short" },
      {
        cause: error,
      },
    );
  }
}
