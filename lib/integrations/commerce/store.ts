import { setTimeout as sleep } from "node:timers/promises";
import { env } from "@/lib/platform/env";
import { AppError } from "@/lib/platform/errors";
import { type GuardedResponse, guardedFetch } from "@/lib/platform/http/guarded-fetch";
import { perProcess } from "@/lib/platform/process";
import { readFault, readLoginFault, readMessage, StoreFault } from "./read-fault";
import type { Credentials } from "./schema";
import { type ListAddress, readListAddress, type Search, searchPairs } from "./search";
import { oauth1Header, type Pair, queryOf } from "./sign-oauth1";

/** A token and when it ends. */
export type Token = { token: string; expiresAt: Date };

/** Where the token that a user and a password were given is kept from one run to the next. */
export type TokenKeeper = {
  read: () => Promise<Token | null>;
  keep: (token: Token | null) => Promise<void>;
};

export type StoreOptions = {
  ordersUrl: string;
  credentials: Credentials;
  requestsPerSecond: number;
  tokens?: TokenKeeper;
  /** waits until the shop may be asked; by itself a store keeps the pace of this process */
  turn?: () => Promise<void>;
  /** hears of a 429 */
  slowDown?: (seconds: number) => Promise<void>;
  /** milliseconds between attempts where the shop is busy; as many attempts more as there are waits */
  waits?: number[];
  /** milliseconds for one answer */
  timeout?: number;
};

type Answer = {
  status: number;
  headers: GuardedResponse["headers"];
  body: unknown;
};

/** An answer is at most this large: orders have over a hundred fields each. */
const MAX_BYTES = 64 * 1024 * 1024;
/** A wait that is longer is left to the job, which holds nothing meanwhile. */
const LONGEST_WAIT = 15;
/** The least to wait after a 429 that does not say how long. */
const SLOW_DOWN = 10;
/** Tokens are renewed before they end, and are taken to live this long where they do not say. */
const EARLY = 60_000;
const ASSUMED_LIFE = 3_600_000;

/**
 * The shop's REST interface: signed or with a token, guarded against internal addresses, paced below the rate that was
 * set, and patient with what passes. All it does is read, so what is asked twice harms nobody. Every refusal is a
 * {@link StoreFault} that says what to do.
 */
export class Store {
  readonly list: ListAddress;
  readonly #options: StoreOptions;
  #token: Token | null | undefined;

  constructor(options: StoreOptions) {
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
    return this.#get(name, this.#beside(name), search ? searchPairs(search) : []);
  }

  #beside(name: string): URL {
    const url = new URL(this.list.url);
    const place = url.pathname.replace(/\/orders\/?$/, "");
    if (place === url.pathname) throw new StoreFault("nowhere", { reason: "orders_address_alone" });
    url.pathname = `${place}/${name}`;
    return url;
  }

  async #get(resource: string, url: URL, pairs: readonly Pair[]): Promise<unknown> {
    const { credentials } = this.#options;
    const target = new URL(url);
    target.search = queryOf(pairs);
    for (let renewed = false; ; renewed = true) {
      const answer = await this.#patiently(async () => {
        const found = await this.#call(target, {
          headers: await this.#authorization(url, pairs),
        });
        const bad = found.status !== 200 || readMessage(found.body) !== null;
        const fault = bad ? readFault(found.status, found.headers, found.body, credentials.auth, resource) : null;
        if (fault?.kind === "busy") throw fault;
        return fault ?? found.body;
      });
      if (!(answer instanceof StoreFault)) return answer;
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
    if (this.#token && this.#token.expiresAt.getTime() - EARLY > Date.now()) return this.#token.token;
    const token = await this.#logIn();
    await this.#setToken({ token, expiresAt: endOf(token) });
    return token;
  }

  async #setToken(token: Token | null): Promise<void> {
    this.#token = token;
    await this.#options.tokens?.keep(token);
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
    throw readLoginFault(status, headers, body);
  }

  /** Once more after a while, where the shop or the way to it is only busy; again later is for the caller. */
  async #patiently<T>(work: () => Promise<T>): Promise<T> {
    const waits = this.#options.waits ?? [1_000, 4_000];
    for (let attempt = 0; ; attempt++) {
      try {
        return await work();
      } catch (error) {
        if (!(error instanceof StoreFault && error.kind === "busy")) throw error;
        const { status, retryAfter = status === 429 ? SLOW_DOWN : 0 } = error.details;
        if (status === 429) await this.#options.slowDown?.(retryAfter);
        const wait = waits[attempt];
        if (wait === undefined || retryAfter > LONGEST_WAIT) throw error;
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
  ): Promise<Answer> {
    const { turn, requestsPerSecond } = this.#options;
    let response: GuardedResponse;
    let text: string;
    try {
      await (turn ? turn() : ownTurn(url.origin, 1_000 / requestsPerSecond));
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
      throw new StoreFault("busy", error.issues, { cause: error });
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
      throw new StoreFault("busy", { reason }, { status, cause });
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
function endOf(token: string): Date {
  const [, payload = "", tail] = token.split(".");
  if (tail !== undefined) {
    try {
      const { exp } = JSON.parse(Buffer.from(payload, "base64url").toString("utf8")) as { exp?: unknown };
      if (typeof exp === "number") return new Date(exp * 1_000);
    } catch {
      // Three parts and yet no JWT: lives as long as any other.
    }
  }
  return new Date(Date.now() + ASSUMED_LIFE);
}

/** Waits until a request to the origin may go: those of this process to one shop come at even distances. */
async function ownTurn(origin: string, gap: number): Promise<void> {
  const turns = perProcess("commerce-turns", () => new Map<string, number>());
  const moment = performance.now();
  const turn = Math.max(moment, turns.get(origin) ?? 0);
  turns.set(origin, turn + gap);
  if (turn > moment) await sleep(turn - moment);
}
