import { Readable } from "node:stream";
import { text as readAll } from "node:stream/consumers";
import type { IntegrationWithSecrets } from "@/lib/integrations/rows";
import { AppError } from "@/lib/platform/errors";
import { type GuardedRequest, guardedFetch } from "@/lib/platform/http/guarded-fetch";
import type { Notice } from "@/lib/platform/issue";
import { postponeRequests, rateLimitKey, waitForRateLimit } from "@/lib/platform/jobs/partner-rate-limit";
import { quotedText } from "@/lib/platform/storable-text";

/** The platform asks for less than 50 calls a second under one key. */
const PER_SECOND = 40;
/** Milliseconds for a call, answer included. */
export const CALL_TIMEOUT_MS = 30_000;
/** A pause that the platform asks for is waited for up to so many milliseconds; for a longer one the call is put off. */
const MAX_PAUSE_MS = 15_000;
/** After a 429 nobody asks for so long, unless it says how long. */
const DEFAULT_RETRY_AFTER_SECONDS = 10;

/** What the platform answered; `body` is parsed JSON, or the text where it is none. */
export type EngagementResponse = { status: number; body: unknown };

export type EngagementClient = (
  method: "GET" | "POST" | "PATCH" | "DELETE",
  path: string,
  body?: unknown,
  /** called when it is our turn, before anything is sent; what it throws keeps the call from being made */
  beforeSend?: () => Promise<void>,
) => Promise<EngagementResponse>;

/** How the platform is reached: tests have their own network and less patience. */
export type EngagementOptions = {
  network?: GuardedRequest["network"];
  timeout?: number;
  defaultRetryAfter?: number;
};

/**
 * The engagement platform of a client, as a function that asks it: `ask("GET", "/contacts/count")`. Never faster than
 * the platform allows, whoever else asks under the same key. Every status is an answer. Throws `unavailable` where there
 * is none, which for a POST means that it may have happened all the same.
 */
export function createEngagementClient(
  { settings, secrets }: Pick<IntegrationWithSecrets<"engagement">, "settings" | "secrets">,
  { network, timeout = CALL_TIMEOUT_MS, defaultRetryAfter = DEFAULT_RETRY_AFTER_SECONDS }: EngagementOptions = {},
): EngagementClient {
  const base = settings.base_url.replace(/(?<!\/)\/+$/, "");
  const key = rateLimitKey("engagement", `${new URL(base).origin} ${secrets.api_key}`);
  let pausedUntil = 0;
  const waitForSlot = async () => {
    await waitForRateLimit(key, PER_SECOND);
    // Others of this process may have heard "too many" while this call waited for its turn.
    for (let pause = pausedUntil - Date.now(); pause > 0; pause = pausedUntil - Date.now()) {
      if (pause > MAX_PAUSE_MS) throw new AppError("unavailable", { reason: "platform_busy" });
      await waitForRateLimit(key, PER_SECOND);
    }
  };
  return async (method, path, body, ready) => {
    await waitForSlot();
    await ready?.();
    const answer = await guardedFetch(`${base}/api/v3${path}`, {
      method,
      // It answers 500 to a call without the content type, even to a GET.
      headers: {
        apikey: secrets.api_key,
        "user-agent": "Candor/1.0",
        "content-type": "application/json",
        accept: "application/json",
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      timeout,
      idleTimeout: timeout,
      maxBytes: 2 * 1024 * 1024,
      maxRedirects: 0,
      network,
    });
    const text = await readAll(Readable.from(answer.body));
    if (answer.status === 429) {
      const seconds = retryAfter(answer.headers["retry-after"]) ?? defaultRetryAfter;
      pausedUntil = Date.now() + seconds * 1_000;
      await postponeRequests(key, seconds);
    }
    return { status: answer.status, body: parseBody(text) };
  };
}

function retryAfter(header: string | undefined): number | null {
  const seconds = Number(header);
  return header !== undefined && Number.isFinite(seconds) && seconds > 0 ? Math.min(seconds, 3_600) : null;
}

function parseBody(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** A part of the interface's path. Half a character, which an id may hold, cannot stand in an address. */
export const pathSegment = (value: string): string => encodeURIComponent(value.toWellFormed());

/** What the platform said was wrong; never what was sent. */
export function errorOf({ status, body }: EngagementResponse): Notice {
  const { errorCode, message } = (typeof body === "object" && body !== null ? body : {}) as Record<string, unknown>;
  const said = [errorCode, message].filter((part) => typeof part === "string" && part !== "").join(": ");
  if (status === 401 || status === 403) return { reason: "engagement_key_refused", params: { status } };
  const shown = quotedText(said, 200); // kept with what was told
  return shown
    ? { reason: "engagement_refused_because", params: { status, said: shown } }
    : { reason: "engagement_refused", params: { status } };
}

const isNotFoundStatus = ({ status }: EngagementResponse): boolean => status === 404 || status === 410;

/**
 * Whether the platform itself says that there is none: it does so with a body of its own or with nothing. A page in words is
 * a proxy's, of a wrong address or of a service that rests, and tells nothing of what is there.
 */
export const isNotFound = (answer: EngagementResponse): boolean =>
  isNotFoundStatus(answer) && (typeof answer.body === "object" || answer.body === "");

/** Whether asking again later may help. What was posted may be there all the same, except after a 429. */
export const isTransientResponse = (answer: EngagementResponse): boolean =>
  answer.status === 429 ||
  answer.status === 408 ||
  answer.status >= 500 ||
  (isNotFoundStatus(answer) && !isNotFound(answer));

/** Statuses of what stands in front of the platform, when it waited for it in vain: the platform itself said nothing. */
const gatewayStatuses: readonly number[] = [408, 502, 504];
export const isGatewayTimeout = ({ status }: EngagementResponse): boolean => gatewayStatuses.includes(status);

export const isSuccess = ({ status }: EngagementResponse): boolean => status >= 200 && status < 300;
