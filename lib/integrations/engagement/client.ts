import { Readable } from "node:stream";
import { text as readAll } from "node:stream/consumers";
import type { IntegrationWithSecrets } from "@/lib/integrations/rows";
import { AppError } from "@/lib/platform/errors";
import { type GuardedRequest, guardedFetch } from "@/lib/platform/http/guarded-fetch";
import type { Notice } from "@/lib/platform/issue";
import { postponeRequests, rateLimitKey, waitForRateLimit } from "@/lib/platform/jobs/partner-rate-limit";
import { quotedText } from "@/lib/platform/storable-text";

/** The platform limits each key to 50 requests per second. */
const PER_SECOND = 40;
/** Milliseconds per request, including the response. */
export const CALL_TIMEOUT_MS = 30_000;
/** Waits that the platform requests are respected up to this length; longer ones postpone the request. */
const MAX_PAUSE_MS = 15_000;
/** Wait after a 429 without `Retry-After`. */
const DEFAULT_RETRY_AFTER_SECONDS = 10;

/** A response of the platform; `body` is parsed JSON, or text if it isn't JSON. */
export type EngagementResponse = { status: number; body: unknown };

export type EngagementClient = (
  method: "GET" | "POST" | "PATCH" | "DELETE",
  path: string,
  body?: unknown,
  /** called when the request's turn comes, before anything is sent; an error cancels the request */
  beforeSend?: () => Promise<void>,
) => Promise<EngagementResponse>;

/** Tests use their own network and shorter timeouts. */
export type EngagementOptions = {
  network?: GuardedRequest["network"];
  timeout?: number;
  defaultRetryAfter?: number;
};

/**
 * Client of an engagement platform: `ask("GET", "/contacts/count")`. Keeps to the rate limit across all processes with
 * the same key. Resolves for every status. Throws `unavailable` if there is no response; a POST may have succeeded
 * nevertheless.
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
    // Other requests of this process may have received a 429 while this one waited.
    for (let pause = pausedUntil - Date.now(); pause > 0; pause = pausedUntil - Date.now()) {
      if (pause > MAX_PAUSE_MS) throw new AppError("unavailable", { reason: "platform_busy" });
      await waitForRateLimit(key, PER_SECOND);
    }
  };
  return async (method, path, body, beforeSend) => {
    await waitForSlot();
    await beforeSend?.();
    const answer = await guardedFetch(`${base}/api/v3${path}`, {
      method,
      // Without a content type, the platform responds 500, even to GET.
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

/** Encodes a path segment. Lone surrogates, which an id may contain, can't be encoded. */
export const pathSegment = (value: string): string => encodeURIComponent(value.toWellFormed());

/** The platform's error message, without request data. */
export function errorOf({ status, body }: EngagementResponse): Notice {
  const { errorCode, message } = (typeof body === "object" && body !== null ? body : {}) as Record<string, unknown>;
  const errorText = [errorCode, message].filter((part) => typeof part === "string" && part !== "").join(": ");
  if (status === 401 || status === 403) return { reason: "engagement_key_refused", params: { status } };
  const quotedMessage = quotedText(errorText, 200); // stored with the delivery
  return quotedMessage
    ? { reason: "engagement_refused_because", params: { status, said: quotedMessage } }
    : { reason: "engagement_refused", params: { status } };
}

const isNotFoundStatus = ({ status }: EngagementResponse): boolean => status === 404 || status === 410;

/**
 * Whether the platform itself reports that something doesn't exist, with a JSON body or an empty one. A page of text
 * comes from a proxy, a wrong address or a paused service, and says nothing about the resource.
 */
export const isNotFound = (answer: EngagementResponse): boolean =>
  isNotFoundStatus(answer) && (typeof answer.body === "object" || answer.body === "");

/** Whether a retry may succeed. A POST may have succeeded nevertheless, except after a 429. */
export const isTransientResponse = (answer: EngagementResponse): boolean =>
  answer.status === 429 ||
  answer.status === 408 ||
  answer.status >= 500 ||
  (isNotFoundStatus(answer) && !isNotFound(answer));

/** Statuses of a gateway that got no response from the platform. */
const gatewayStatuses: readonly number[] = [408, 502, 504];
export const isGatewayTimeout = ({ status }: EngagementResponse): boolean => gatewayStatuses.includes(status);

export const isSuccess = ({ status }: EngagementResponse): boolean => status >= 200 && status < 300;
