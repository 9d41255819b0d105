import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import { once } from "node:events";
import http from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { ApiError, type Entity, parseSearchCriteria, search, selectFields } from "./commerce-search";

/** How one response fails. `after`: the store did the work, but its response is lost. */
export type Failure =
  | { status: number; retryAfter?: number | string; html?: boolean; body?: unknown }
  | "cut"
  | "cut in the middle"
  | "never answer"
  | "slow body";

export type CommerceModes = {
  /** up to 2.3 a page after the end repeats the last one, from 2.4 on it is empty */
  pagingClamp: boolean;
  /** pages of more than 300 are rejected */
  inputLimit: boolean;
  /** whether an integration's token works as a bearer token; off by default since 2.4.4 */
  bearerIntegration: boolean;
  /** two-factor authentication of users: off, required, or required but not set up by the user */
  twoFactor: "off" | "google" | "unset";
  token: "opaque" | "jwt";
  /** seconds until a user's token expires */
  tokenTtl: number;
  /** signatures over spaces and colons are verified wrongly, as in some versions from 2.4.6 on */
  brokenSignatures: boolean;
  /** errors have a stack trace, as in developer mode */
  developer: boolean;
  /** errors have status 200, as in old versions */
  errorsAsSuccess: boolean;
  /** orders that make every page with them fail */
  brokenOrderIds: number[];
  /** resources the role may not read */
  forbidden: string[];
  /** filters are ignored */
  ignoresFilters: boolean;
  /** requests per second; above it 429 */
  rate: number;
};

export type CommerceData = {
  orders: Entity[];
  shipments: Entity[];
  products: Entity[];
  categories: Entity;
  storeConfigs: Entity[];
  /** options of attributes, by attribute */
  attributes: Record<string, { label: string; value: string }[]>;
};

export const commerceUser = { username: "candor", password: "fake-password-1" };
export const commerceKeys = {
  consumer_key: "c0".repeat(16),
  consumer_secret: "k1".repeat(16),
  access_token: "t2".repeat(16),
  token_secret: "s3".repeat(16),
};

const columns = {
  orders: ["store_id", "entity_id", "increment_id", "state", "status", "created_at", "updated_at", "customer_email"],
  shipments: ["entity_id", "order_id", "created_at", "updated_at"],
  products: ["entity_id", "sku", "status", "visibility", "type_id", "updated_at"],
};
const resources: Record<string, string> = {
  orders: "Magento_Sales::actions_view",
  shipments: "Magento_Sales::shipment",
  products: "Magento_Catalog::products",
  categories: "Magento_Catalog::categories",
  "store/storeConfigs": "Magento_Backend::store",
};

/**
 * A Magento 2 store over HTTP, limited to orders and catalog: three authentication methods with their failures, full
 * search criteria, the platform's oddities in responses, and switches for failures. It is strict: a wrong signature, an
 * unknown column or too many requests return an error.
 */
export class CommerceFake {
  readonly data: CommerceData;
  readonly modes: CommerceModes;
  /** failures of the next responses, in order; null: none */
  readonly failures: (Failure | null)[] = [];
  /** the failure of a request, checked after `failures` */
  failureFor: ((n: number) => Failure | null) | null = null;
  /** `GET /rest/…` of every request, with its time */
  readonly requests: { line: string; at: number }[] = [];
  logins = 0;
  /** the most requests within any second */
  peakRate = 0;
  #failedLogins = 0;
  #tokens = new Map<string, number>();
  #nonces = new Set<string>();
  #server = http.createServer((request, response) => void this.#serve(request, response));

  constructor(data: Partial<CommerceData> = {}, modes: Partial<CommerceModes> = {}) {
    this.data = {
      orders: [],
      shipments: [],
      products: [],
      categories: { id: 1, name: "Root", children_data: [] },
      storeConfigs: [],
      attributes: {},
      ...data,
    };
    this.modes = {
      pagingClamp: false,
      inputLimit: false,
      bearerIntegration: true,
      twoFactor: "off",
      token: "jwt",
      tokenTtl: 3_600,
      brokenSignatures: false,
      developer: false,
      errorsAsSuccess: false,
      brokenOrderIds: [],
      forbidden: [],
      ignoresFilters: false,
      rate: 1_000,
      ...modes,
    };
  }

  /** Returns the URL of the order list. */
  async listen(port = 0): Promise<string> {
    this.#server.listen(port, "127.0.0.1");
    await once(this.#server, "listening");
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/rest/default/V1/orders`;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  /** Expires all user tokens now. */
  expireTokens(): void {
    this.#tokens.clear();
  }

  async #serve(request: http.IncomingMessage, response: http.ServerResponse): Promise<void> {
    try {
      await this.#answer(request, response);
    } catch (error) {
      this.#refuse(response, error instanceof ApiError ? error : new ApiError(500, String(error)));
    }
  }

  async #answer(request: http.IncomingMessage, response: http.ServerResponse): Promise<void> {
    const body = await text(request);
    const url = new URL(request.url ?? "/", `http://${request.headers.host}`);
    if (url.pathname.startsWith("/_fake/"))
      return this.#handleControl(request.method ?? "", url.pathname.slice("/_fake/".length), body, response);
    const at = performance.now();
    this.requests.push({ line: `${request.method} ${decodeURIComponent(url.pathname + url.search)}`, at });
    const recentCount = this.requests.filter((one) => one.at > at - 1_000).length;
    this.peakRate = Math.max(this.peakRate, recentCount);
    if (recentCount > this.modes.rate) return this.#fail({ status: 429, retryAfter: 1, html: true }, request, response);
    const failure = this.failures.length > 0 ? this.failures.shift() : this.failureFor?.(this.requests.length);
    if (failure && (typeof failure === "object" || failure === "cut")) return this.#fail(failure, request, response);
    const [, path = ""] = /^\/rest(?:\/[^/]+)?\/V1\/(.+)$/.exec(url.pathname) ?? [];
    const answer = this.#route(request, url, path, body);
    if (failure === "never answer") return; // the work is done, but the response is lost
    const sent = JSON.stringify(answer);
    response.writeHead(200, { "Content-Type": "application/json; charset=utf-8" });
    if (!failure) return void response.end(sent);
    const half = Math.ceil(sent.length / 2);
    response.write(sent.slice(0, half));
    if (failure === "cut in the middle") {
      await sleep(20);
      return void request.socket.destroy();
    }
    await sleep(400);
    response.end(sent.slice(half));
  }

  #fail(failure: Exclude<Failure, string> | "cut", request: http.IncomingMessage, response: http.ServerResponse): void {
    if (failure === "cut") return void request.socket.destroy();
    const { status, retryAfter, html, body } = failure;
    const headers = retryAfter === undefined ? {} : { "Retry-After": String(retryAfter) };
    if (html || body === undefined) {
      response
        .writeHead(status, { "Content-Type": "text/html", ...headers })
        .end("<html><h1>Service unavailable</h1></html>");
      return;
    }
    response.writeHead(status, { "Content-Type": "application/json", ...headers }).end(JSON.stringify(body));
  }

  #refuse(response: http.ServerResponse, { status, message, parameters }: ApiError): void {
    if (response.headersSent) return void response.end();
    const sentStatus = this.modes.errorsAsSuccess && status === 500 ? 200 : status;
    const body: Entity =
      status === 500
        ? {
            message: `Internal Error. Details are available in Magento log file. Report ID: webapi-${randomBytes(6).toString("hex")}`,
          }
        : { message, ...(parameters !== undefined && { parameters }) };
    if (this.modes.developer)
      body.trace = `#0 /var/www/html/vendor/magento/framework/Webapi/ErrorProcessor.php(1): ${message}`;
    response.writeHead(sentStatus, { "Content-Type": "application/json; charset=utf-8" }).end(JSON.stringify(body));
  }

  #route(request: http.IncomingMessage, url: URL, place: string, body: string): unknown {
    if (place === "integration/admin/token" && request.method === "POST") return this.#logIn(request, body);
    const options = /^products\/attributes\/([^/]+)\/options$/.exec(place)?.[1];
    const isKnown = place in resources || options !== undefined;
    if (!isKnown || request.method !== "GET") throw new ApiError(404, "Request does not match any route.");
    const resource = options === undefined ? place : "products";
    const needed = resources[resource] ?? "";
    const query = readQuery(url);
    if (!this.#isIn(request, url, query) || this.modes.forbidden.includes(resource))
      throw new ApiError(401, "The consumer isn't authorized to access %resources.", { resources: needed });
    if (options !== undefined) return this.data.attributes[options] ?? [];
    if (place === "categories") return this.data.categories;
    if (place === "store/storeConfigs") return this.data.storeConfigs;
    const kind = place as keyof typeof columns;
    const criteria = parseSearchCriteria(query);
    if (this.modes.inputLimit && (criteria.size ?? 20) > 300)
      throw new ApiError(400, "Maximum SearchCriteria pageSize is %max", { max: 300 });
    const rows: Entity[] =
      kind === "products" ? this.data.products.map((row) => ({ entity_id: row.id, ...row })) : this.data[kind];
    const effectiveQuery = this.modes.ignoresFilters ? { ...criteria, groups: [], sort: [] } : criteria;
    const found = search(rows, effectiveQuery, columns[kind], { clamp: this.modes.pagingClamp });
    if (kind === "orders" && found.rows.some((row) => this.modes.brokenOrderIds.includes(row.entity_id as number)))
      throw new ApiError(500, "Call to a member function getTypeId() on null");
    const items = kind === "products" ? found.rows.map(({ entity_id: _, ...row }) => row) : found.rows;
    const answer = {
      items,
      search_criteria: { filter_groups: criteria.groups, page_size: criteria.size, current_page: criteria.page },
      total_count: found.total,
    };
    const fields = query.find(([name]) => name === "fields")?.[1];
    return fields ? selectFields(answer, fields) : answer;
  }

  #logIn(request: http.IncomingMessage, body: string): string {
    this.logins += 1;
    if (!/^application\/json/.test(request.headers["content-type"] ?? ""))
      throw new ApiError(400, "Server cannot understand Content-Type HTTP header media type %1", [
        request.headers["content-type"] ?? "",
      ]);
    const { username, password } = JSON.parse(body) as Partial<typeof commerceUser>;
    const wrong = username !== commerceUser.username || password !== commerceUser.password;
    this.#failedLogins = wrong ? this.#failedLogins + 1 : this.#failedLogins;
    if (wrong || this.#failedLogins >= 6)
      throw new ApiError(
        401,
        "The account sign-in was incorrect or your account is disabled temporarily. Please wait and try again later.",
      );
    if (this.modes.twoFactor === "google")
      throw new ApiError(401, "Please use the 2fa provider-specific endpoints to obtain a token.", {
        active_providers: ["google"],
      });
    if (this.modes.twoFactor === "unset")
      throw new ApiError(
        400,
        "You are required to configure personal Two-Factor Authorization in order to login. Please check your email.",
      );
    const ends = Date.now() + this.modes.tokenTtl * 1_000;
    const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
    const token =
      this.modes.token === "opaque"
        ? randomBytes(16).toString("hex")
        : `${part({ kid: "1", alg: "HS256" })}.${part({ uid: 1, utypid: 2, exp: Math.floor(ends / 1_000) })}.${randomBytes(32).toString("base64url")}`;
    this.#tokens.set(token, ends);
    return token;
  }

  #isIn(request: http.IncomingMessage, url: URL, query: [string, string][]): boolean {
    const { authorization = "" } = request.headers;
    if (authorization.startsWith("OAuth "))
      return this.#isSigned(authorization.slice(6), request.method ?? "", url, query);
    const token = /^Bearer (\S+)$/.exec(authorization)?.[1] ?? "";
    if (token === commerceKeys.access_token) return this.modes.bearerIntegration;
    return (this.#tokens.get(token) ?? 0) > Date.now();
  }

  /**
   * Verifies OAuth 1.0a as the platform does: HMAC-SHA256 only, each nonce once, the query included in the signature.
   */
  #isSigned(header: string, method: string, url: URL, query: [string, string][]): true {
    const given = new Map(
      header.split(",").map((pair) => {
        const [, name = "", value = ""] = /^\s*([^=]+)="([^"]*)"\s*$/.exec(pair) ?? [];
        return [decodeURIComponent(name), decodeURIComponent(value)] as const;
      }),
    );
    const oauthParam = (name: string) => given.get(`oauth_${name}`) ?? "";
    if (oauthParam("consumer_key") !== commerceKeys.consumer_key)
      throw new ApiError(401, "A consumer having the specified key does not exist");
    if (oauthParam("token") !== commerceKeys.access_token) throw new ApiError(401, "Specified token does not exist");
    if (oauthParam("signature_method") !== "HMAC-SHA256")
      throw new ApiError(400, "Signature method %1 is not supported", [oauthParam("signature_method")]);
    if (Number(oauthParam("timestamp")) > Date.now() / 1_000 + 600 || !/^\d+$/.test(oauthParam("timestamp")))
      throw new ApiError(400, "The timestamp value in the oauth_timestamp parameter is invalid");
    if (oauthParam("nonce") === "" || this.#nonces.has(oauthParam("nonce")))
      throw new ApiError(401, "The nonce is already being used by the consumer with ID %1", [1]);
    this.#nonces.add(oauthParam("nonce"));
    const encoded = (value: string) =>
      encodeURIComponent(value).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
    const pairs = [...[...given].filter(([name]) => name !== "oauth_signature" && name !== "realm"), ...query]
      .map(([name, value]) => `${encoded(name)}=${encoded(value)}`)
      .sort();
    const base = [method, `${url.origin}${url.pathname}`, pairs.join("&")].map(encoded).join("&");
    const key = `${commerceKeys.consumer_secret}&${commerceKeys.token_secret}`;
    const expected = createHmac("sha256", key).update(base).digest();
    const sent = Buffer.from(oauthParam("signature"), "base64");
    const hasSignatureBug = this.modes.brokenSignatures && query.some(([, value]) => /[ :]/.test(value));
    if (hasSignatureBug || sent.length !== expected.length || !timingSafeEqual(sent, expected))
      throw new ApiError(401, "The signature is invalid. Verify and try again.");
    return true;
  }

  /** For manual use of the fake server: `GET state`, `PUT modes`, `POST trouble`, `POST orders`, `POST shipments`. */
  #handleControl(method: string, place: string, body: string, response: http.ServerResponse): void {
    const input = body === "" ? {} : JSON.parse(body);
    if (method === "PUT" && place === "modes") Object.assign(this.modes, input);
    else if (method === "POST" && place === "trouble") this.failures.push(...[input].flat());
    else if (method === "POST" && (place === "orders" || place === "shipments"))
      this.data[place].push(...[input].flat());
    else if (method !== "GET" || place !== "state") return void response.writeHead(404).end();
    const { orders, shipments, products } = this.data;
    response.writeHead(200, { "Content-Type": "application/json" }).end(
      `${JSON.stringify({
        modes: this.modes,
        counts: { orders: orders.length, shipments: shipments.length, products: products.length },
        requests: this.requests.length,
        logins: this.logins,
        busiest: this.peakRate,
      })}\n`,
    );
  }
}

/** As PHP parses a query: drops pairs without exactly one `=`; `+` is a space. */
const readQuery = (url: URL): [string, string][] =>
  url.search
    .slice(1)
    .split("&")
    .filter((pair) => pair.split("=").length === 2)
    .map((pair) => pair.split("=").map((part) => decodeURIComponent(part.replace(/\+/g, " "))) as [string, string]);
