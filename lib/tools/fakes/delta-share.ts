import { createHmac, randomBytes } from "node:crypto";
import { once } from "node:events";
import http from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { matchesHints } from "./delta-share-hints";
import type { DeltaShareFile, DeltaShareTable } from "./delta-share-table";

/** How one response fails. `expired` is for files whose URL has expired; `says` is the error message. */
export type DeltaShareFailure =
  | { status: number; retryAfter?: number; html?: boolean; message?: string }
  | "cut"
  | "cut in the middle"
  | "never answer"
  | "slow body"
  | "expired";

export type DeltaShareModes = {
  /** API calls per second; above it 429 */
  rate: number;
  /** seconds until the URL of a file expires */
  urlTtl: number;
  /** how many versions the reported version is behind the queried data */
  versionLag: number;
  /** names per page of a list */
  pageSize: number;
  /** files per page of a query; 0: all files on one page */
  filesPerPage: number;
  /** whether the credential has expired */
  expired: boolean;
  /** ids of files whose reported size is wrong */
  wrongSizes: string[];
  /** ids of files that return this status, whatever the URL */
  refusedFiles: Record<string, number>;
};

type QueryRequest = {
  predicateHints?: string[];
  limitHint?: number;
  version?: number;
  pageToken?: string;
};

class ApiError extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
  ) {
    super(message);
  }
}

export const deltaShareToken = "delta-share-fake-bearer-token-1";
const PREFIX = "/api/2.0/delta-sharing/metastores/fake";

/**
 * A Delta Sharing server over HTTP, with a separate file server, as in the cloud. It is strict: the API requires the
 * bearer token, the file server rejects requests that have one, file URLs are signed and expire, and calls are
 * rate-limited. Switches simulate failures of either server.
 */
export class DeltaShareFake {
  readonly tables: DeltaShareTable[];
  readonly modes: DeltaShareModes;
  /** failures of the next API responses, in order; null: none */
  readonly failures: (DeltaShareFailure | null)[] = [];
  /** the same for files */
  readonly fileFailures: (DeltaShareFailure | null)[] = [];
  /** the failure of a request, checked after `failures` */
  failureFor: ((n: number, what: "call" | "file") => DeltaShareFailure | null) | null = null;
  readonly requests: { line: string; at: number; body: string }[] = [];
  /** ids of the files served in full or in part */
  readonly servedFiles: string[] = [];
  /** the most calls within any second */
  peakRate = 0;
  #secret = randomBytes(16);
  #server = http.createServer(
    (request, response) => void this.#handleErrors(request, response, this.#serve(request, response)),
  );
  #fileServer = http.createServer(
    (request, response) => void this.#handleErrors(request, response, this.#serveFile(request, response)),
  );

  constructor(tables: DeltaShareTable[] = [], modes: Partial<DeltaShareModes> = {}) {
    this.tables = tables;
    this.modes = {
      rate: 10,
      urlTtl: 3_600,
      versionLag: 0,
      pageSize: 100,
      filesPerPage: 0,
      expired: false,
      wrongSizes: [],
      refusedFiles: {},
      ...modes,
    };
  }

  /** Returns the profile that a recipient downloads. */
  async listen(port = 0, filesPort = port === 0 ? 0 : port + 1): Promise<Record<string, unknown>> {
    for (const [server, at] of [
      [this.#server, port],
      [this.#fileServer, filesPort],
    ] as const) {
      server.listen(at, "127.0.0.1");
      await once(server, "listening");
    }
    return {
      shareCredentialsVersion: 1,
      endpoint: `${originOf(this.#server)}${PREFIX}`,
      bearerToken: deltaShareToken,
      expirationTime: "9999-12-31T23:59:59.999Z",
    };
  }

  get origin(): string {
    return originOf(this.#server);
  }

  async close(): Promise<void> {
    for (const server of [this.#server, this.#fileServer]) {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    }
  }

  async #handleErrors(
    request: http.IncomingMessage,
    response: http.ServerResponse,
    work: Promise<void>,
  ): Promise<void> {
    try {
      await work;
    } catch (error) {
      if (response.headersSent) return void request.socket.destroy();
      const { status, code, message } =
        error instanceof ApiError ? error : new ApiError(400, "INVALID_PARAMETER_VALUE", String(error));
      response
        .writeHead(status, {
          "Content-Type": "application/json; charset=utf-8",
        })
        .end(JSON.stringify({ errorCode: code, message }));
    }
  }

  async #serve(request: http.IncomingMessage, response: http.ServerResponse): Promise<void> {
    const body = await text(request);
    const url = new URL(request.url ?? "/", `http://${request.headers.host}`);
    if (url.pathname.startsWith("/_fake/"))
      return this.#handleControl(request.method ?? "", url.pathname.slice("/_fake/".length), body, response);
    const at = performance.now();
    this.requests.push({
      line: `${request.method} ${decodeURIComponent(url.pathname.slice(PREFIX.length))}${url.search}`,
      at,
      body,
    });
    const within = this.requests.filter((one) => one.at > at - 1_000).length;
    this.peakRate = Math.max(this.peakRate, within);
    if (within > this.modes.rate) throw new ApiError(429, "REQUEST_LIMIT_EXCEEDED", "Too many requests.");
    const failure = this.failures.length > 0 ? this.failures.shift() : this.failureFor?.(this.requests.length, "call");
    if (await simulateFailure(failure ?? null, request, response)) return;
    if (request.headers.authorization !== `Bearer ${deltaShareToken}` || this.modes.expired)
      throw new ApiError(401, "UNAUTHENTICATED", "The recipient's token is not valid.");
    if (!url.pathname.startsWith(`${PREFIX}/`)) throw new ApiError(404, "ENDPOINT_NOT_FOUND", "No such endpoint.");
    const [headers, answer] = this.#route(request, url, body);
    response.writeHead(200, headers);
    await send(Buffer.from(answer), failure ?? null, request, response);
  }

  #route(request: http.IncomingMessage, url: URL, body: string): [http.OutgoingHttpHeaders, string] {
    const [kind, share, schemas, schema, tables, table, call] = url.pathname
      .slice(PREFIX.length + 1)
      .split("/")
      .map(decodeURIComponent);
    const { method } = request;
    const list = (rows: object[]): [http.OutgoingHttpHeaders, string] => [
      { "Content-Type": "application/json; charset=utf-8" },
      JSON.stringify(page(rows, url, this.modes.pageSize)),
    ];
    if (kind !== "shares") throw new ApiError(404, "ENDPOINT_NOT_FOUND", "No such endpoint.");
    if (share === undefined && method === "GET") return list(unique(this.tables.map((one) => ({ name: one.share }))));
    const ofShare = this.#requireFound(
      "share",
      this.tables.filter((one) => equalsIgnoreCase(one.share, share)),
    );
    if (table === undefined && schema === undefined && schemas === "schemas" && method === "GET")
      return list(unique(ofShare.map((one) => ({ name: one.schema, share: one.share }))));
    if (schema === undefined && schemas === "all-tables" && method === "GET") return list(ofShare.map(tableJson));
    const ofSchema = this.#requireFound(
      "schema",
      ofShare.filter((one) => equalsIgnoreCase(one.schema, schema)),
    );
    if (table === undefined && tables === "tables" && method === "GET") return list(ofSchema.map(tableJson));
    const [found] = this.#requireFound(
      "table",
      ofSchema.filter((one) => equalsIgnoreCase(one.name, table)),
    );
    if (found) {
      if (call === "version" && method === "GET")
        return [
          {
            "Delta-Table-Version": String(Math.max(0, found.version - this.modes.versionLag)),
          },
          "",
        ];
      if (
        found.options.requiresDeltaFormat &&
        !/responseformat=[^;]*delta/i.test(String(request.headers["delta-sharing-capabilities"]))
      )
        throw new ApiError(
          400,
          "DS_UNSUPPORTED_DELTA_TABLE_FEATURES",
          "The table has features (delta.enableDeletionVectors) that the response format parquet does not know.",
        );
      if (call === "metadata" && method === "GET") return this.#lines(found, found.version, []);
      if (call === "query" && method === "POST") return this.#query(found, parseQueryRequest(request, body));
      if (call === "changes" && method === "GET") return this.#changes(found, url.searchParams);
    }
    throw new ApiError(404, "ENDPOINT_NOT_FOUND", "No such endpoint.");
  }

  #requireFound(what: string, found: DeltaShareTable[]): DeltaShareTable[] {
    if (found.length === 0) throw new ApiError(404, "RESOURCE_DOES_NOT_EXIST", `There is no such ${what}.`);
    return found;
  }

  #lines(table: DeltaShareTable, version: number, actions: object[]): [http.OutgoingHttpHeaders, string] {
    const lines = [{ protocol: { minReaderVersion: 1 } }, { metaData: table.metadata() }, ...actions];
    return [
      {
        "Content-Type": "application/x-ndjson; charset=utf-8",
        "Delta-Table-Version": String(version),
      },
      lines.map((line) => `${JSON.stringify(line)}\n`).join(""),
    ];
  }

  #query(table: DeltaShareTable, query: QueryRequest): [http.OutgoingHttpHeaders, string] {
    const version = query.version ?? table.version;
    if (query.version !== undefined && !table.options.history)
      throw new ApiError(400, "INVALID_PARAMETER_VALUE", "The history of the table is not shared.");
    const found = table.versions[version];
    if (!found || version < table.oldest) throw versionNotAvailable(version, table);
    let files = found.files.filter((file) => matchesHints(file, query.predicateHints ?? []));
    if (query.limitHint !== undefined) {
      let rows = 0;
      files = files.filter(({ rows: own }) => {
        const isWanted = rows < (query.limitHint ?? 0);
        rows += own;
        return isWanted;
      });
    }
    const from = Number(query.pageToken ?? 0);
    const size = this.modes.filesPerPage || files.length;
    const actions: object[] = files.slice(from, from + size).map((file) => ({ file: this.#fileEntry(file) }));
    if (from + size < files.length) actions.push({ endStreamAction: { nextPageToken: String(from + size) } });
    return this.#lines(table, version, actions);
  }

  #changes(table: DeltaShareTable, query: URLSearchParams): [http.OutgoingHttpHeaders, string] {
    const [start, end] = [query.get("startingVersion"), query.get("endingVersion") ?? String(table.version)];
    if (!table.options.history)
      throw new ApiError(400, "INVALID_PARAMETER_VALUE", "Change data feed is not enabled on the table.");
    if (start === null || !/^\d+$/.test(start) || !/^\d+$/.test(end))
      throw new ApiError(400, "INVALID_PARAMETER_VALUE", "startingVersion is required.");
    if (Number(start) < table.oldest || Number(end) > table.version) throw versionNotAvailable(Number(start), table);
    const actions: object[] = [];
    for (let version = Number(start); version <= Number(end); version++) {
      const { added = [], changes = null } = table.versions[version] ?? {};
      const about = { timestamp: 1_772_323_200_000, version };
      if (changes === null) actions.push(...added.map((file) => ({ add: { ...this.#fileEntry(file), ...about } })));
      else
        actions.push(
          ...changes.map((file) => ({
            cdf: { ...this.#fileEntry(file), ...about },
          })),
        );
    }
    return this.#lines(table, Number(end), actions);
  }

  #fileEntry(file: DeltaShareFile): object {
    const ends = Date.now() + this.modes.urlTtl * 1_000;
    return {
      url: `${originOf(this.#fileServer)}/container/${file.id}.snappy.parquet?se=${ends}&sig=${this.#signature(file.id, ends)}`,
      id: file.id,
      partitionValues: file.partitionValues,
      size: file.bytes.length + (this.modes.wrongSizes.includes(file.id) ? 7 : 0),
      stats: JSON.stringify({ numRecords: file.rows, ...file.stats }, (_, value) =>
        typeof value === "bigint" ? Number(value) : value,
      ),
      expirationTimestamp: ends,
    };
  }

  #signature(id: string, ends: number): string {
    return createHmac("sha256", this.#secret).update(`${id} ${ends}`).digest("hex");
  }

  /** The file server: checks only signed URLs, no credentials. */
  async #serveFile(request: http.IncomingMessage, response: http.ServerResponse): Promise<void> {
    const url = new URL(request.url ?? "/", `http://${request.headers.host}`);
    const id = /^\/container\/(\w+)\.snappy\.parquet$/.exec(url.pathname)?.[1] ?? "";
    const reject = (status: number, code: string) =>
      void response
        .writeHead(status, { "Content-Type": "application/xml" })
        .end(`<?xml version="1.0" encoding="utf-8"?><Error><Code>${code}</Code></Error>`);
    const failure =
      this.fileFailures.length > 0 ? this.fileFailures.shift() : this.failureFor?.(this.servedFiles.length, "file");
    if (failure === "expired") return reject(403, "AuthenticationFailed");
    if (await simulateFailure(failure ?? null, request, response)) return;
    if (request.headers.authorization !== undefined) return reject(400, "InvalidAuthenticationInfo");
    const ends = Number(url.searchParams.get("se"));
    if (url.searchParams.get("sig") !== this.#signature(id, ends) || ends < Date.now())
      return reject(403, "AuthenticationFailed");
    const errorStatus = this.modes.refusedFiles[id];
    if (errorStatus) return reject(errorStatus, errorStatus === 404 ? "BlobNotFound" : "AuthorizationFailure");
    const file = this.tables
      .flatMap(({ versions }) => versions.flatMap((one) => [...one.files, ...one.added, ...(one.changes ?? [])]))
      .find((one) => one.id === id);
    if (!file || request.method !== "GET") return reject(404, "BlobNotFound");
    this.servedFiles.push(id);
    response.writeHead(200, {
      "Content-Type": "application/octet-stream",
      "Content-Length": file.bytes.length,
    });
    await send(file.bytes, failure ?? null, request, response);
  }

  /**
   * For manual use of the fake server: `GET state`, `PUT modes`, `POST trouble`, `POST file-trouble`, `POST
   * rows/{table}`.
   */
  #handleControl(method: string, place: string, body: string, response: http.ServerResponse): void {
    const input = body === "" ? {} : JSON.parse(body);
    const table = /^rows\/(\w+)$/.exec(place)?.[1];
    if (method === "PUT" && place === "modes") Object.assign(this.modes, input);
    else if (method === "POST" && place === "trouble") this.failures.push(...[input].flat());
    else if (method === "POST" && place === "file-trouble") this.fileFailures.push(...[input].flat());
    else if (method === "POST" && table)
      this.#requireFound(
        "table",
        this.tables.filter((one) => equalsIgnoreCase(one.name, table)),
      )[0]?.append([input].flat());
    else if (method !== "GET" || place !== "state") return void response.writeHead(404).end();
    response.writeHead(200, { "Content-Type": "application/json" }).end(
      `${JSON.stringify({
        modes: this.modes,
        tables: this.tables.map((one) => ({
          ...tableJson(one),
          version: one.version,
          files: one.versions.at(-1)?.files.length,
        })),
        requests: this.requests.length,
        busiest: this.peakRate,
        files: this.servedFiles.length,
      })}\n`,
    );
  }
}

const originOf = (server: http.Server): string => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
const equalsIgnoreCase = (one: string, other = ""): boolean => one.toLowerCase() === other.toLowerCase();
const tableJson = ({ name, schema, share, id }: DeltaShareTable) => ({
  name,
  schema,
  share,
  id,
});
const unique = <T extends { name: string }>(rows: T[]): T[] => [
  ...new Map(rows.map((row) => [row.name, row])).values(),
];
const versionNotAvailable = (version: number, { oldest, version: newest }: DeltaShareTable) =>
  new ApiError(
    400,
    "INVALID_PARAMETER_VALUE",
    `Version ${version} is not available: there are ${oldest} to ${newest}.`,
  );

function page(rows: object[], url: URL, size: number): object {
  const requestedSize = Number(url.searchParams.get("maxResults") ?? size);
  if (!Number.isSafeInteger(requestedSize) || requestedSize < 0)
    throw new ApiError(400, "INVALID_PARAMETER_VALUE", "maxResults is no number.");
  const from = Number(url.searchParams.get("pageToken") ?? 0);
  if (!Number.isSafeInteger(from)) throw new ApiError(400, "INVALID_PARAMETER_VALUE", "pageToken is not valid.");
  const to = from + Math.min(requestedSize, size);
  return {
    items: rows.slice(from, to),
    ...(to < rows.length && { nextPageToken: String(to) }),
  };
}

function parseQueryRequest(request: http.IncomingMessage, body: string): QueryRequest {
  if (!/^application\/json\b/.test(request.headers["content-type"] ?? ""))
    throw new ApiError(400, "INVALID_PARAMETER_VALUE", "The body must be application/json.");
  const query = JSON.parse(body) as QueryRequest;
  const { predicateHints, limitHint, version } = query;
  if (
    predicateHints !== undefined &&
    !(Array.isArray(predicateHints) && predicateHints.every((hint) => typeof hint === "string"))
  )
    throw new ApiError(400, "INVALID_PARAMETER_VALUE", "predicateHints must be texts.");
  for (const [name, value] of Object.entries({ limitHint, version }))
    if (value !== undefined && !(Number.isSafeInteger(value) && value >= 0))
      throw new ApiError(400, "INVALID_PARAMETER_VALUE", `${name} must be a whole number.`);
  return query;
}

/** Applies a failure before the response. Returns whether the request is finished. */
async function simulateFailure(
  failure: DeltaShareFailure | null,
  request: http.IncomingMessage,
  response: http.ServerResponse,
): Promise<boolean> {
  if (failure === "never answer") return true;
  if (failure === "cut") request.socket.destroy();
  else if (typeof failure === "object" && failure !== null) {
    const { status, retryAfter, html, message = "Try again." } = failure;
    response
      .writeHead(status, {
        "Content-Type": html ? "text/html" : "application/json",
        ...(retryAfter !== undefined && { "Retry-After": String(retryAfter) }),
      })
      .end(
        html
          ? "<html><h1>Service unavailable</h1></html>"
          : JSON.stringify({
              errorCode: "TEMPORARILY_UNAVAILABLE",
              message,
            }),
      );
  } else return false;
  return true;
}

/** Sends a response, or part of it. */
async function send(
  bytes: Buffer,
  failure: DeltaShareFailure | null,
  request: http.IncomingMessage,
  response: http.ServerResponse,
): Promise<void> {
  if (failure !== "cut in the middle" && failure !== "slow body") return void response.end(bytes);
  const half = Math.ceil(bytes.length / 2);
  response.write(bytes.subarray(0, half));
  if (failure === "cut in the middle") {
    await sleep(20);
    return void request.socket.destroy();
  }
  await sleep(400);
  response.end(bytes.subarray(half));
}
