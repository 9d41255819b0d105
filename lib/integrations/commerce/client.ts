import { setTimeout as sleep } from "node:timers/promises";
import { env } from "@/lib/platform/env";
import { AppError } from "@/lib/platform/errors";
import { type GuardedResponse, guardedFetch } from "@/lib/platform/http/guarded-fetch";
import { perProcess } from "@/lib/platform/process";
import type { Credentials } from "./schema";
import { type ListAddress, readListAddress, type Search, searchPairs } from "./search";
import { oauth1Header, type Pair, queryOf } from "./sign-oauth1";
import { readMessage, StoreError, toLoginError, toStoreError } from "./store-error";

/** A token and when it ends. */
export type Token = { token: string; expiresAt: Date };

/** Where the token that a user and a password were given is kept from one run to the next. */
export type TokenStorage = {
  read: () => Promise<Token | null>;
  save: (token: Token | null) => Promise<void>;
};

export type CommerceClientOptions = {
  ordersUrl: string;
  credentials: Credentials;
  requestsPerSecond: number;
  tokens?: TokenStorage;
  /** waits until the shop may be asked; by itself a store keeps the pace of this process */
  turn?: () => Promise<void>;
  /** hears of a 429 */
  onRateLimited?: (seconds: number) => Promise<void>;
  /** milliseconds between attempts where the shop is busy; as many attempts more as there are waits */
  waits?: number[];
  /** milliseconds for one answer */
  timeout?: number;
};

type ApiResponse = {
  status: number;
  headers: GuardedResponse["headers"];
  body: unknown;
};

/** An answer is at most this large: orders have over a hundred fields each. */
const MAX_BYTES = 64 * 1024 * 1024;
/** A wait that is longer is left to the job, which holds nothing meanwhile. */
const MAX_RETRY_AFTER_SECONDS = 15;
/** The least to wait after a 429 that does not say how long. */
const DEFAULT_RETRY_AFTER_SECONDS = 10;
/** Tokens are renewed before they end, and are taken to live this long where they do not say. */
const RENEW_BEFORE_MS = 60_000;
const DEFAULT_TOKEN_LIFETIME_MS = 3_600_000;

/**
 * The shop's REST interface: signed or with a token, guarded against internal addresses, paced below the rate that was
 * set, and patient with what passes. All it does is read, so what is asked twice harms nobody. Every refusal is a
 * {@link StoreError} that says what to do.
 */
export class CommerceClient {
  readonly list: ListAddress;
  readonly #options: CommerceClientOptions;
  #token: Token | null | undefined;

  constructor(options: CommerceClientOptions) {
    this.#options = options;
    this.list = readListAddress(options.ordersUrl);
    if (this.list.url.protocol !== "https:" && !env().ALLOW_PRIVATE_URLS)
      throw new AppError("invalid_field", { reason: "address_with_secrets_not_https", field: "orders_url" });
  }

  /** Orders as the client's address lists them, filtered further. */
  orders(search: Search): Promise<unknown> {
    const groups = [...this.list.groups, ...search.groups];
    return this.#get("orders", this.list.url, searchPairs({ ...search, groups }, this.list.others));
  }

  /** Another resource of the same store: `shipments`, `products`, `store/storeConfigs`. */
  resource(name: string, search?: Search): Promise<unknown> {
    return this.#get(name, this.#siblingUrl(name), search ? searchPairs(search) : []);
  }

  #siblingUrl(name: string): URL {
    const url = new URL(this.list.url);
    const place = url.pathname.replace(/\/orders\/?$/, "");
    if (place === url.pathname) throw new StoreError("nowhere", { reason: "orders_address_alone" });
    url.pathname = `${place}/${name}`;
    return url;
  }

  async #get(resource: string, url: URL, pairs: readonly Pair[]): Promise<unknown> {
    const { credentials } = this.#options;
    const target = new URL(url);
    target.search = queryOf(pairs);
    for (let renewed = false; ; renewed = true) {
      const answer = await this.#withRetries(async () => {
        const found = await this.#call(target, {
          headers: await this.#authorization(url, pairs),
        });
        const bad = found.status !== 200 || readMessage(found.body) !== null;
        const fault = bad ? toStoreError(found.status, found.headers, found.body, credentials.auth, resource) : null;
        if (fault?.kind === "busy") throw fault;
        return fault ?? found.body;
      });
      if (!(answer instanceof StoreError)) return answer;
      // A token may end before it said it would: one new log-in, and no more.
      if (renewed || credentials.auth !== "password" || answer.details.status !== 401) throw answer;
      await this.#setToken(null);
    }
  }

  async #authorization(url: URL, pairs: readonly Pair[]): Promise<Record<string, string>> {
    const { credentials } = this.#options;
    if (credentials.auth === "oauth1") return { authorization: oauth1Header(credentials, "GET", url, pairs) };
    const token = credentials.auth === "bearer" ? credentials.token : await this.#currentToken();
    return { authorization: `Bearer ${token}` };
  }

  async #currentToken(): Promise<string> {
    this.#token ??= (await this.#options.tokens?.read()) ?? null;
    if (this.#token && this.#token.expiresAt.getTime() - RENEW_BEFORE_MS > Date.now()) return this.#token.token;
    const token = await this.#logIn();
    await this.#setToken({ token, expiresAt: tokenExpiry(token) });
    return token;
  }

  async #setToken(token: Token | null): Promise<void> {
    this.#token = token;
    await this.#options.tokens?.save(token);
  }

  /** Asks for a token. A refusal is final: the shop locks users who fail again and again. */
  async #logIn(): Promise<string> {
    const { credentials } = this.#options;
    if (credentials.auth !== "password") throw new Error("Only username and password authentication signs in.");
    const { username, password } = credentials;
    const { status, headers, body } = await this.#call(tokenAddress(this.list.url), {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ username, password }),
    });
    if (status === 200 && typeof body === "string" && body !== "") return body;
    throw toLoginError(status, headers, body);
  }

  /** Once more after a while, where the shop or the way to it is only busy; again later is for the caller. */
  async #withRetries<T>(work: () => Promise<T>): Promise<T> {
    const waits = this.#options.waits ?? [1_000, 4_000];
    for (let attempt = 0; ; attempt++) {
      try {
        return await work();
      } catch (error) {
        if (!(error instanceof StoreError && error.kind === "busy")) throw error;
        const { status, retryAfter = status === 429 ? DEFAULT_RETRY_AFTER_SECONDS : 0 } = error.details;
        if (status === 429) await this.#options.onRateLimited?.(retryAfter);
        const wait = waits[attempt];
        if (wait === undefined || retryAfter > MAX_RETRY_AFTER_SECONDS) throw error;
        await sleep(Math.max(wait, retryAfter * 1_000));
      }
    }
  }

  async #call(
    url: URL,
    {
      method = "GET",
      headers,
      body,
    }: {
      method?: "GET" | "POST";
      headers: Record<string, string>;
      body?: string;
    },
  ): Promise<ApiResponse> {
    const { turn, requestsPerSecond } = this.#options;
    let response: GuardedResponse;
    let text: string;
    try {
      await (turn ? turn() : waitForOrigin(url.origin, 1_000 / requestsPerSecond));
      response = await guardedFetch(url.href, {
        method,
        headers: { accept: "application/json", ...headers },
        body,
        maxRedirects: 0,
        maxBytes: MAX_BYTES,
        timeout: this.#options.timeout ?? 60_000,
        idleTimeout: this.#options.timeout ?? 30_000,
      });
      text = this.#withoutSecrets(await readText(response));
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== "unavailable") throw error;
      throw new StoreError("busy", error.issues, { cause: error });
    }
    return {
      status: response.status,
      headers: response.headers,
      body: this.#readBody(response, text),
    };
  }

  /** Some servers repeat what they were sent in what they complain of. */
  #withoutSecrets(text: string): string {
    const { auth, ...secrets } = this.#options.credentials;
    return Object.values(secrets)
      .filter((secret) => secret.length >= 6)
      .reduce((shown, secret) => shown.replaceAll(secret, "***"), text);
  }

  #readBody({ status, headers }: GuardedResponse, text: string): unknown {
    try {
      return JSON.parse(text);
    } catch (cause) {
      if (status !== 200) return null; // a page of a proxy or of the maintenance: the status tells
      const isPage = /html/.test(headers["content-type"] ?? "") || /^\s*</.test(text);
      const reason = isPage ? "shop_answers_page" : "shop_answer_not_json";
      throw new StoreError("busy", { reason }, { status, cause });
    }
  }
}

async function readText({ body }: GuardedResponse): Promise<string> {
  const pieces: Uint8Array[] = [];
  for await (const piece of body) pieces.push(piece);
  return Buffer.concat(pieces).toString("utf8");
}

/** Where tokens are given: the same for all stores of a shop. */
export function tokenAddress(orders: URL): URL {
  const url = new URL(orders);
  const place = url.pathname.replace(/\/orders\/?$/, "").replace(/\/rest\/[^/]+\/V1$/, "/rest/V1");
  url.pathname = `${place === url.pathname ? "/rest/V1" : place}/integration/admin/token`;
  url.search = "";
  return url;
}

/** When a token ends, by the real clock: signed ones (three parts) say so. */
function tokenExpiry(token: string): Date {
  const [, payload = "", tail] = token.split(".");
  if (tail !== undefined) {
    try {
      const { exp } = JSON.parse(Buffer.from(payload, "base64url").toString("utf8")) as { exp?: unknown };
      if (typeof exp === "number") return new Date(exp * 1_000);
    } catch {
      // Three parts and yet no JWT: lives as long as any other.
    }
  }
  return new Date(Date.now() + DEFAULT_TOKEN_LIFETIME_MS);
}

/** Waits until a request to the origin may go: those of this process to one shop come at even distances. */
async function waitForOrigin(origin: string, gap: number): Promise<void> {
  const turns = perProcess("commerce-turns", () => new Map<string, number>());
  const moment = performance.now();
  const waitForSlot = Math.max(moment, turns.get(origin) ?? 0);
  turns.set(origin, waitForSlot + gap);
  if (waitForSlot > moment) await sleep(waitForSlot - moment);
}
