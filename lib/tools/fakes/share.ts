import { createHmac, randomBytes } from "node:crypto";
import { once } from "node:events";
import http from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { passesHints } from "./share-hints";
import type { ShareFile, ShareTable } from "./share-table";

/** How one answer goes wrong: `expired` is for files, whose address is then too old; `says` is the message of a refusal. */
export type ShareTrouble =
  | { status: number; retryAfter?: number; html?: boolean; says?: string }
  | "cut"
  | "cut in the middle"
  | "never answer"
  | "slow body"
  | "expired";

export type ShareModes = {
  /** calls of the interface a second; beyond it 429 */
  rate: number;
  /** seconds until the address of a file ends */
  urlLife: number;
  /** the version that is told is so many behind what a query answers */
  staleBy: number;
  /** names of a page of a list */
  pageSize: number;
  /** files of a page of a query; 0: all of them at once */
  filesPerPage: number;
  /** whether the credential has ended */
  expired: boolean;
  /** ids of files of which another length is told than they have */
  wrongSizes: string[];
  /** ids of files that are refused with a status, whatever the address */
  refusedFiles: Record<string, number>;
};

type Asked = {
  predicateHints?: string[];
  limitHint?: number;
  version?: number;
  pageToken?: string;
};

class Refusal extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
  ) {
    super(message);
  }
}

export const shareToken = "share-double-bearer-token-1";
const PREFIX = "/api/2.0/delta-sharing/metastores/double";

/**
 * A Delta Sharing server over HTTP, and the store of its files on an address of its own, as in the cloud. It is strict:
 * without the bearer token nobody gets in, the store of files refuses whoever brings it along, addresses of files are
 * signed and end, and the rate is counted. Switches make answers of either go wrong.
 */
export class ShareDouble {
  readonly tables: ShareTable[];
  readonly modes: ShareModes;
  /** what goes wrong with the next answers of the interface, one after the other; null: nothing */
  readonly trouble: (ShareTrouble | null)[] = [];
  /** likewise with files */
  readonly fileTrouble: (ShareTrouble | null)[] = [];
  /** decides of every request, after `trouble` */
  storm: ((n: number, what: "call" | "file") => ShareTrouble | null) | null = null;
  readonly requests: { line: string; at: number; body: string }[] = [];
  /** ids of the files that were given out whole or in part */
  readonly files: string[] = [];
  /** the most calls that came within any second */
  busiest = 0;
  #secret = randomBytes(16);
  #server = http.createServer(
    (request, response) => void this.#guard(request, response, this.#serve(request, response)),
  );
  #store = http.createServer((request, response) => void this.#guard(request, response, this.#give(request, response)));

  constructor(tables: ShareTable[] = [], modes: Partial<ShareModes> = {}) {
    this.tables = tables;
    this.modes = {
      rate: 10,
      urlLife: 3_600,
      staleBy: 0,
      pageSize: 100,
      filesPerPage: 0,
      expired: false,
      wrongSizes: [],
      refusedFiles: {},
      ...modes,
    };
  }

  /** Answers the profile that a recipient downloads. */
  async listen(port = 0, filesPort = port === 0 ? 0 : port + 1): Promise<Record<string, unknown>> {
    for (const [server, at] of [
      [this.#server, port],
      [this.#store, filesPort],
    ] as const) {
      server.listen(at, "127.0.0.1");
      await once(server, "listening");
    }
    return {
      shareCredentialsVersion: 1,
      endpoint: `${originOf(this.#server)}${PREFIX}`,
      bearerToken: shareToken,
      expirationTime: "9999-12-31T23:59:59.999Z",
    };
  }

  get origin(): string {
    return originOf(this.#server);
  }

  async close(): Promise<void> {
    for (const server of [this.#server, this.#store]) {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    }
  }

  async #guard(request: http.IncomingMessage, response: http.ServerResponse, work: Promise<void>): Promise<void> {
    try {
      await work;
    } catch (error) {
      if (response.headersSent) return void request.socket.destroy();
      const { status, code, message } =
        error instanceof Refusal ? error : new Refusal(400, "INVALID_PARAMETER_VALUE", String(error));
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
    if (url.pathname.startsWith("/_double/"))
      return this.#control(request.method ?? "", url.pathname.slice(9), body, response);
    const at = performance.now();
    this.requests.push({
      line: `${request.method} ${decodeURIComponent(url.pathname.slice(PREFIX.length))}${url.search}`,
      at,
      body,
    });
    const within = this.requests.filter((one) => one.at > at - 1_000).length;
    this.busiest = Math.max(this.busiest, within);
    if (within > this.modes.rate) throw new Refusal(429, "REQUEST_LIMIT_EXCEEDED", "Too many requests.");
    const trouble = this.trouble.length > 0 ? this.trouble.shift() : this.storm?.(this.requests.length, "call");
    if (await failed(trouble ?? null, request, response)) return;
    if (request.headers.authorization !== `Bearer ${shareToken}` || this.modes.expired)
      throw new Refusal(401, "UNAUTHENTICATED", "The recipient's token is not valid.");
    if (!url.pathname.startsWith(`${PREFIX}/`)) throw new Refusal(404, "ENDPOINT_NOT_FOUND", "No such endpoint.");
    const [headers, answer] = this.#route(request, url, body);
    response.writeHead(200, headers);
    await send(Buffer.from(answer), trouble ?? null, request, response);
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
    if (kind !== "shares") throw new Refusal(404, "ENDPOINT_NOT_FOUND", "No such endpoint.");
    if (share === undefined && method === "GET") return list(unique(this.tables.map((one) => ({ name: one.share }))));
    const ofShare = this.#known(
      "share",
      this.tables.filter((one) => alike(one.share, share)),
    );
    if (table === undefined && schema === undefined && schemas === "schemas" && method === "GET")
      return list(unique(ofShare.map((one) => ({ name: one.schema, share: one.share }))));
    if (schema === undefined && schemas === "all-tables" && method === "GET") return list(ofShare.map(described));
    const ofSchema = this.#known(
      "schema",
      ofShare.filter((one) => alike(one.schema, schema)),
    );
    if (table === undefined && tables === "tables" && method === "GET") return list(ofSchema.map(described));
    const [found] = this.#known(
      "table",
      ofSchema.filter((one) => alike(one.name, table)),
    );
    if (found) {
      if (call === "version" && method === "GET")
        return [
          {
            "Delta-Table-Version": String(Math.max(0, found.version - this.modes.staleBy)),
          },
          "",
        ];
      if (
        found.options.needsDelta &&
        !/responseformat=[^;]*delta/i.test(String(request.headers["delta-sharing-capabilities"]))
      )
        throw new Refusal(
          400,
          "DS_UNSUPPORTED_DELTA_TABLE_FEATURES",
          "The table has features (delta.enableDeletionVectors) that the response format parquet does not know.",
        );
      if (call === "metadata" && method === "GET") return this.#lines(found, found.version, []);
      if (call === "query" && method === "POST") return this.#query(found, readAsked(request, body));
      if (call === "changes" && method === "GET") return this.#changes(found, url.searchParams);
    }
    throw new Refusal(404, "ENDPOINT_NOT_FOUND", "No such endpoint.");
  }

  #known(what: string, found: ShareTable[]): ShareTable[] {
    if (found.length === 0) throw new Refusal(404, "RESOURCE_DOES_NOT_EXIST", `There is no such ${what}.`);
    return found;
  }

  #lines(table: ShareTable, version: number, actions: object[]): [http.OutgoingHttpHeaders, string] {
    const lines = [{ protocol: { minReaderVersion: 1 } }, { metaData: table.metadata() }, ...actions];
    return [
      {
        "Content-Type": "application/x-ndjson; charset=utf-8",
        "Delta-Table-Version": String(version),
      },
      lines.map((line) => `${JSON.stringify(line)}\n`).join(""),
    ];
  }

  #query(table: ShareTable, asked: Asked): [http.OutgoingHttpHeaders, string] {
    const version = asked.version ?? table.version;
    if (asked.version !== undefined && !table.options.history)
      throw new Refusal(400, "INVALID_PARAMETER_VALUE", "The history of the table is not shared.");
    const found = table.versions[version];
    if (!found || version < table.oldest) throw gone(version, table);
    let files = found.alive.filter((file) => passesHints(file, asked.predicateHints ?? []));
    if (asked.limitHint !== undefined) {
      let rows = 0;
      files = files.filter(({ rows: own }) => {
        const isWanted = rows < (asked.limitHint ?? 0);
        rows += own;
        return isWanted;
      });
    }
    const from = Number(asked.pageToken ?? 0);
    const size = this.modes.filesPerPage || files.length;
    const actions: object[] = files.slice(from, from + size).map((file) => ({ file: this.#told(file) }));
    if (from + size < files.length) actions.push({ endStreamAction: { nextPageToken: String(from + size) } });
    return this.#lines(table, version, actions);
  }

  #changes(table: ShareTable, query: URLSearchParams): [http.OutgoingHttpHeaders, string] {
    const [start, end] = [query.get("startingVersion"), query.get("endingVersion") ?? String(table.version)];
    if (!table.options.history)
      throw new Refusal(400, "INVALID_PARAMETER_VALUE", "Change data feed is not enabled on the table.");
    if (start === null || !/^\d+$/.test(start) || !/^\d+$/.test(end))
      throw new Refusal(400, "INVALID_PARAMETER_VALUE", "startingVersion is required.");
    if (Number(start) < table.oldest || Number(end) > table.version) throw gone(Number(start), table);
    const actions: object[] = [];
    for (let version = Number(start); version <= Number(end); version++) {
      const { added = [], changes = null } = table.versions[version] ?? {};
      const about = { timestamp: 1_772_323_200_000, version };
      if (changes === null) actions.push(...added.map((file) => ({ add: { ...this.#told(file), ...about } })));
      else
        actions.push(
          ...changes.map((file) => ({
            cdf: { ...this.#told(file), ...about },
          })),
        );
    }
    return this.#lines(table, Number(end), actions);
  }

  #told(file: ShareFile): object {
    const ends = Date.now() + this.modes.urlLife * 1_000;
    return {
      url: `${originOf(this.#store)}/container/${file.id}.snappy.parquet?se=${ends}&sig=${this.#signed(file.id, ends)}`,
      id: file.id,
      partitionValues: file.partitionValues,
      size: file.bytes.length + (this.modes.wrongSizes.includes(file.id) ? 7 : 0),
      stats: JSON.stringify({ numRecords: file.rows, ...file.stats }, (_, value) =>
        typeof value === "bigint" ? Number(value) : value,
      ),
      expirationTimestamp: ends,
    };
  }

  #signed(id: string, ends: number): string {
    return createHmac("sha256", this.#secret).update(`${id} ${ends}`).digest("hex");
  }

  /** The store of files: knows nobody, only addresses. */
  async #give(request: http.IncomingMessage, response: http.ServerResponse): Promise<void> {
    const url = new URL(request.url ?? "/", `http://${request.headers.host}`);
    const id = /^\/container\/(\w+)\.snappy\.parquet$/.exec(url.pathname)?.[1] ?? "";
    const refuse = (status: number, code: string) =>
      void response
        .writeHead(status, { "Content-Type": "application/xml" })
        .end(`<?xml version="1.0" encoding="utf-8"?><Error><Code>${code}</Code></Error>`);
    const trouble = this.fileTrouble.length > 0 ? this.fileTrouble.shift() : this.storm?.(this.files.length, "file");
    if (trouble === "expired") return refuse(403, "AuthenticationFailed");
    if (await failed(trouble ?? null, request, response)) return;
    if (request.headers.authorization !== undefined) return refuse(400, "InvalidAuthenticationInfo");
    const ends = Number(url.searchParams.get("se"));
    if (url.searchParams.get("sig") !== this.#signed(id, ends) || ends < Date.now())
      return refuse(403, "AuthenticationFailed");
    const refusal = this.modes.refusedFiles[id];
    if (refusal) return refuse(refusal, refusal === 404 ? "BlobNotFound" : "AuthorizationFailure");
    const file = this.tables
      .flatMap(({ versions }) => versions.flatMap((one) => [...one.alive, ...one.added, ...(one.changes ?? [])]))
      .find((one) => one.id === id);
    if (!file || request.method !== "GET") return refuse(404, "BlobNotFound");
    this.files.push(id);
    response.writeHead(200, {
      "Content-Type": "application/octet-stream",
      "Content-Length": file.bytes.length,
    });
    await send(file.bytes, trouble ?? null, request, response);
  }

  /** For whoever plays with the double: `GET state`, `PUT modes`, `POST trouble`, `POST file-trouble`, `POST rows/{table}`. */
  #control(method: string, place: string, body: string, response: http.ServerResponse): void {
    const said = body === "" ? {} : JSON.parse(body);
    const table = /^rows\/(\w+)$/.exec(place)?.[1];
    if (method === "PUT" && place === "modes") Object.assign(this.modes, said);
    else if (method === "POST" && place === "trouble") this.trouble.push(...[said].flat());
    else if (method === "POST" && place === "file-trouble") this.fileTrouble.push(...[said].flat());
    else if (method === "POST" && table)
      this.#known(
        "table",
        this.tables.filter((one) => alike(one.name, table)),
      )[0]?.append([said].flat());
    else if (method !== "GET" || place !== "state") return void response.writeHead(404).end();
    response.writeHead(200, { "Content-Type": "application/json" }).end(
      `${JSON.stringify({
        modes: this.modes,
        tables: this.tables.map((one) => ({
          ...described(one),
          version: one.version,
          files: one.versions.at(-1)?.alive.length,
        })),
        requests: this.requests.length,
        busiest: this.busiest,
        files: this.files.length,
      })}\n`,
    );
  }
}

const originOf = (server: http.Server): string => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
const alike = (one: string, other = ""): boolean => one.toLowerCase() === other.toLowerCase();
const described = ({ name, schema, share, id }: ShareTable) => ({
  name,
  schema,
  share,
  id,
});
const unique = <T extends { name: string }>(rows: T[]): T[] => [
  ...new Map(rows.map((row) => [row.name, row])).values(),
];
const gone = (version: number, { oldest, version: newest }: ShareTable) =>
  new Refusal(400, "INVALID_PARAMETER_VALUE", `Version ${version} is not available: there are ${oldest} to ${newest}.`);

function page(rows: object[], url: URL, size: number): object {
  const asked = Number(url.searchParams.get("maxResults") ?? size);
  if (!Number.isSafeInteger(asked) || asked < 0)
    throw new Refusal(400, "INVALID_PARAMETER_VALUE", "maxResults is no number.");
  const from = Number(url.searchParams.get("pageToken") ?? 0);
  if (!Number.isSafeInteger(from)) throw new Refusal(400, "INVALID_PARAMETER_VALUE", "pageToken is not valid.");
  const to = from + Math.min(asked, size);
  return {
    items: rows.slice(from, to),
    ...(to < rows.length && { nextPageToken: String(to) }),
  };
}

function readAsked(request: http.IncomingMessage, body: string): Asked {
  if (!/^application\/json\b/.test(request.headers["content-type"] ?? ""))
    throw new Refusal(400, "INVALID_PARAMETER_VALUE", "The body must be application/json.");
  const asked = JSON.parse(body) as Asked;
  const { predicateHints, limitHint, version } = asked;
  if (
    predicateHints !== undefined &&
    !(Array.isArray(predicateHints) && predicateHints.every((hint) => typeof hint === "string"))
  )
    throw new Refusal(400, "INVALID_PARAMETER_VALUE", "predicateHints must be texts.");
  for (const [name, value] of Object.entries({ limitHint, version }))
    if (value !== undefined && !(Number.isSafeInteger(value) && value >= 0))
      throw new Refusal(400, "INVALID_PARAMETER_VALUE", `${name} must be a whole number.`);
  return asked;
}

/** What goes wrong before there is an answer. Whether that was all. */
async function failed(
  trouble: ShareTrouble | null,
  request: http.IncomingMessage,
  response: http.ServerResponse,
): Promise<boolean> {
  if (trouble === "never answer") return true;
  if (trouble === "cut") request.socket.destroy();
  else if (typeof trouble === "object" && trouble !== null) {
    const { status, retryAfter, html, says = "Try again." } = trouble;
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
              message: says,
            }),
      );
  } else return false;
  return true;
}

/** Sends an answer, or what is left of it. */
async function send(
  bytes: Buffer,
  trouble: ShareTrouble | null,
  request: http.IncomingMessage,
  response: http.ServerResponse,
): Promise<void> {
  if (trouble !== "cut in the middle" && trouble !== "slow body") return void response.end(bytes);
  const half = Math.ceil(bytes.length / 2);
  response.write(bytes.subarray(0, half));
  if (trouble === "cut in the middle") {
    await sleep(20);
    return void request.socket.destroy();
  }
  await sleep(400);
  response.end(bytes.subarray(half));
}
