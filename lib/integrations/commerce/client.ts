import { setTimeout as sleep } from "node:timers/promises";
import { env } from "@/lib/platform/env";
import { AppError } from "@/lib/platform/errors";
import { type GuardedResponse, guardedFetch } from "@/lib/platform/http/guarded-fetch";
import { perProcess } from "@/lib/platform/process";
import type { Credentials } from "./schema";
import { type ListAddress, readListAddress, type Search, searchPairs } from "./search";
import { oauth1Header, type Pair, queryOf } from "./sign-oauth1";
import { readMessage, StoreError, toLoginError, toStoreError } from "./store-error";

/** A token and its expiry. */
export type Token = { token: string; expiresAt: Date };

/** Storage of an admin token between runs. */
export type TokenStorage = {
  read: () => Promise<Token | null>;
  save: (token: Token | null) => Promise<void>;
};

export type CommerceClientOptions = {
  ordersUrl: string;
  credentials: Credentials;
  requestsPerSecond: number;
  tokens?: TokenStorage;
  /** waits for a request slot; by default, requests are paced within this process only */
  waitForSlot?: () => Promise<void>;
  /** called after a 429 with the seconds to wait */
  onRateLimited?: (seconds: number) => Promise<void>;
  /** milliseconds between attempts while the store is busy; the number of retries equals the length */
  retryDelays?: number[];
  /** milliseconds per response */
  timeout?: number;
};

type ApiResponse = {
  status: number;
  headers: GuardedResponse["headers"];
  body: unknown;
};

/** Maximum response size. Orders have over a hundred fields each. */
const MAX_BYTES = 64 * 1024 * 1024;
/** Longer waits are left to the job, which holds no resources meanwhile. */
const MAX_RETRY_AFTER_SECONDS = 15;
/** Wait after a 429 without `Retry-After`. */
const DEFAULT_RETRY_AFTER_SECONDS = 10;
/** Tokens are renewed this long before they expire. Without a known expiry, `DEFAULT_TOKEN_LIFETIME_MS` applies. */
const RENEW_BEFORE_MS = 60_000;
const DEFAULT_TOKEN_LIFETIME_MS = 3_600_000;

/**
 * Client of the store's REST API: authenticated, guarded against internal addresses, rate limited, and retrying
 * transient errors. It only reads, so retries are safe. Every rejection is a {@link StoreError} that says what to do.
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

  /** Orders of the configured URL, with additional filters. */
  orders(search: Search): Promise<unknown> {
    const groups = [...this.list.groups, ...search.groups];
    return this.#get("orders", this.list.url, searchPairs({ ...search, groups }, this.list.others));
  }

  /** Another resource of the same store, such as `shipments`, `products` or `store/storeConfigs`. */
  resource(name: string, search?: Search): Promise<unknown> {
    return this.#get(name, this.#siblingUrl(name), search ? searchPairs(search) : []);
  }

  #siblingUrl(name: string): URL {
    const url = new URL(this.list.url);
    const basePath = url.pathname.replace(/\/orders\/?$/, "");
    if (basePath === url.pathname) throw new StoreError("nowhere", { reason: "orders_address_alone" });
    url.pathname = `${basePath}/${name}`;
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
        const storeError = bad
          ? toStoreError(found.status, found.headers, found.body, credentials.auth, resource)
          : null;
        if (storeError?.kind === "busy") throw storeError;
        return storeError ?? found.body;
      });
      if (!(answer instanceof StoreError)) return answer;
      // A token may expire early: sign in again once, and no more.
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

  /** Requests a token. A rejection is final, since the store locks users after repeated failures. */
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

  /** Retries while the store or the network is busy. Longer waits are up to the caller. */
  async #withRetries<T>(work: () => Promise<T>): Promise<T> {
    const retryDelays = this.#options.retryDelays ?? [1_000, 4_000];
    for (let attempt = 0; ; attempt++) {
      try {
        return await work();
      } catch (error) {
        if (!(error instanceof StoreError && error.kind === "busy")) throw error;
        const { status, retryAfter = status === 429 ? DEFAULT_RETRY_AFTER_SECONDS : 0 } = error.details;
        if (status === 429) await this.#options.onRateLimited?.(retryAfter);
        const delay = retryDelays[attempt];
        if (delay === undefined || retryAfter > MAX_RETRY_AFTER_SECONDS) throw error;
        await sleep(Math.max(delay, retryAfter * 1_000));
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
    const { waitForSlot, requestsPerSecond } = this.#options;
    let response: GuardedResponse;
    let text: string;
    try {
      await (waitForSlot ? waitForSlot() : waitForOrigin(url.origin, 1_000 / requestsPerSecond));
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

  /** Some servers echo the request in their error messages. */
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
      if (status !== 200) return null; // a page of a proxy or of maintenance mode: the status says enough
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

/** The token endpoint, which is the same for all store views. */
export function tokenAddress(orders: URL): URL {
  const url = new URL(orders);
  const basePath = url.pathname.replace(/\/orders\/?$/, "").replace(/\/rest\/[^/]+\/V1$/, "/rest/V1");
  url.pathname = `${basePath === url.pathname ? "/rest/V1" : basePath}/integration/admin/token`;
  url.search = "";
  return url;
}

/** Expiry of a token by the real clock. JWTs contain it. */
function tokenExpiry(token: string): Date {
  const [, payload = "", tail] = token.split(".");
  if (tail !== undefined) {
    try {
      const { exp } = JSON.parse(Buffer.from(payload, "base64url").toString("utf8")) as { exp?: unknown };
      if (typeof exp === "number") return new Date(exp * 1_000);
    } catch {
      // Not a JWT despite three parts: use the default lifetime.
    }
  }
  return new Date(Date.now() + DEFAULT_TOKEN_LIFETIME_MS);
}

/** Waits for a slot. Requests of this process to one origin are evenly spaced. */
async function waitForOrigin(origin: string, gap: number): Promise<void> {
  const nextSlots = perProcess("commerce-turns", () => new Map<string, number>());
  const startedAt = performance.now();
  const slotTime = Math.max(startedAt, nextSlots.get(origin) ?? 0);
  nextSlots.set(origin, slotTime + gap);
  if (slotTime > startedAt) await sleep(slotTime - startedAt);
}
