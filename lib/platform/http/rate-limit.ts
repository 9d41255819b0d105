import { createHash } from "node:crypto";
import { LRUCache } from "lru-cache";
import { env } from "@/lib/platform/env";
import { AppError } from "@/lib/platform/errors";
import type { Reason } from "@/lib/platform/issue";
import { perProcess } from "@/lib/platform/process";

/** Token buckets: `burst` tokens, refilled at `perSecond`, counted per process. Published in the docs. */
export const limits = {
  management: { burst: 1_000, perSecond: 100 },
  submission: { burst: 120, perSecond: 1 },
  feedback: { burst: 300, perSecond: 5 },
  upload: { burst: 60, perSecond: 1 },
  /** by address: complete feeds, each with all reviews of a client */
  feed: { burst: 30, perSecond: 1 / 60 },
  failed_address: { burst: 50, perSecond: 50 / 600 },
  /**
   * by username and address, by username and network (/24, or /64 for IPv6), by username alone; and by known browser
   */
  failed_user: { burst: 10, perSecond: 10 / 600 },
  failed_network: { burst: 30, perSecond: 30 / 600 },
  failed_name: { burst: 100, perSecond: 100 / 600 },
  /** by person, stored in the user's row: shared by all processes (`lib/accounts/sign-in/second-factor.ts`) */
  failed_code: { burst: 10, perSecond: 10 / 600 },
  /** by address: password reset links */
  reset_address: { burst: 20, perSecond: 20 / 3_600 },
  /** by person: emails sent to an address they enter, about team members or as tests */
  people_mail: { burst: 30, perSecond: 30 / 3_600 },
  /** by person: checks of a page or of DNS records, which the server loads */
  setup_check: { burst: 30, perSecond: 30 / 3_600 },
  /** by person: template previews */
  mail_preview: { burst: 60, perSecond: 1 },
  /** by person: translations by the operator's service */
  translation: { burst: 60, perSecond: 0.5 },
} as const;

export type LimitName = keyof typeof limits;

const MiB = 1024 * 1024;
/**
 * Limits of body bytes read before the caller is known (a public key is in the body). Counted by address: as much as
 * the call limits allow one client with maximum bodies, and enough for many usual clients.
 */
export const byteLimits = {
  submission_bytes: { burst: 32 * MiB, perSecond: MiB },
  upload_bytes: { burst: 640 * MiB, perSecond: 10 * MiB },
} as const;

export type ByteLimitName = keyof typeof byteLimits;

const allLimits = { ...limits, ...byteLimits };
type AnyLimit = keyof typeof allLimits;

type Bucket = { tokens: number; at: number };
/** A username in a sign-in attempt can be as long as a header or form allows; longer keys are hashed. */
const MAX_KEY_LENGTH = 200;
const buckets = () => perProcess("rate-limits", () => new LRUCache<string, Bucket>({ max: 100_000 }));

function factor(): number | null {
  const { RATE_LIMITS } = env();
  return RATE_LIMITS === "off" ? null : RATE_LIMITS;
}

/** A limit at the current settings, for limits counted elsewhere. Null if limits are off. */
export function currentLimit(name: LimitName): { burst: number; perSecond: number } | null {
  const scale = factor();
  return scale === null ? null : scaled(name, scale);
}

const scaled = (name: AnyLimit, scale: number) => ({
  burst: Math.max(1, allLimits[name].burst * scale),
  perSecond: allLimits[name].perSecond * scale,
});

function refill(name: AnyLimit, key: string, scale: number): { bucket: Bucket; burst: number; perSecond: number } {
  const { burst, perSecond } = scaled(name, scale);
  const id = `${name}|${key.length > MAX_KEY_LENGTH ? createHash("sha256").update(key).digest("base64url") : key}`;
  const at = performance.now();
  let bucket = buckets().get(id);
  if (!bucket) {
    bucket = { tokens: burst, at };
    buckets().set(id, bucket);
  }
  bucket.tokens = Math.min(burst, bucket.tokens + ((at - bucket.at) / 1000) * perSecond);
  bucket.at = at;
  return { bucket, burst, perSecond };
}

/**
 * The remaining tokens and the seconds until the bucket is full (or has one token): in the headers of the current IETF
 * draft (`RateLimit`, `RateLimit-Policy`) and the three of earlier drafts, which most clients read.
 */
function fieldsOf(name: LimitName, burst: number, perSecond: number, left: number, seconds: number) {
  return {
    "RateLimit-Policy": `"${name}";q=${Math.floor(burst)};w=${Math.ceil(burst / perSecond)}`,
    RateLimit: `"${name}";r=${left};t=${seconds}`,
    "RateLimit-Limit": String(Math.floor(burst)),
    "RateLimit-Remaining": String(left),
    "RateLimit-Reset": String(seconds),
  };
}

/** The error for an empty bucket, with the seconds until the next token. */
const limitExceeded = (
  name: LimitName,
  reason: Reason,
  { bucket, burst, perSecond }: ReturnType<typeof refill>,
): AppError => rateLimitError(name, reason, { burst, perSecond, left: bucket.tokens });

/** The error for a limit with less than one token left. */
export function rateLimitError(
  name: LimitName,
  reason: Reason,
  { burst, perSecond, left }: { burst: number; perSecond: number; left: number },
): AppError {
  const wait = Math.ceil((1 - left) / perSecond);
  return new AppError("rate_limited", {
    reason,
    params: { seconds: wait },
    headers: { "Retry-After": String(wait), ...fieldsOf(name, burst, perSecond, 0, wait) },
  });
}

/**
 * Takes one token of `key`. Throws `rate_limited` with Retry-After if there is none. Returns the response's RateLimit
 * headers (empty if limits are off).
 */
export function takeToken(name: LimitName, key: string): Record<string, string> {
  const scale = factor();
  if (scale === null) return {};
  const found = refill(name, key, scale);
  const { bucket, burst, perSecond } = found;
  if (bucket.tokens < 1) throw limitExceeded(name, "too_many_requests", found);
  bucket.tokens -= 1;
  const full = Math.ceil((burst - bucket.tokens) / perSecond);
  return fieldsOf(name, burst, perSecond, Math.floor(bucket.tokens), full);
}

/**
 * Takes `bytes` of an address's limit. Throws `rate_limited` if nothing is left. A body larger than the rest is allowed
 * and leaves a negative balance, so that a small limit (RATE_LIMITS) delays large bodies but never blocks them.
 */
export function takeBytes(name: ByteLimitName, address: string, bytes: number): void {
  const scale = factor();
  if (scale === null) return;
  const { bucket, burst, perSecond } = refill(name, address, scale);
  if (bucket.tokens < 1) {
    const wait = Math.ceil((1 - bucket.tokens) / perSecond);
    const policy = `"${name}";q=${Math.floor(burst)};qu="content-bytes";w=${Math.ceil(burst / perSecond)}`;
    throw new AppError("rate_limited", {
      reason: "too_much_data",
      params: { seconds: wait },
      headers: { "Retry-After": String(wait), "RateLimit-Policy": policy, RateLimit: `"${name}";r=0;t=${wait}` },
    });
  }
  // An invalid number from a header must not empty or fill the bucket permanently.
  bucket.tokens -= Math.max(0, bytes) || 0;
}

/** Throws if `key` has no token left, without taking one: checked before a password. */
export function requireToken(name: LimitName, key: string): void {
  const scale = factor();
  if (scale === null) return;
  const found = refill(name, key, scale);
  if (found.bucket.tokens < 1) throw limitExceeded(name, "too_many_failed_sign_ins", found);
}

/** Takes a token if there is one, to count a failure. */
export function deductToken(name: LimitName, key: string): void {
  const scale = factor();
  if (scale === null) return;
  const { bucket } = refill(name, key, scale);
  bucket.tokens = Math.max(0, bucket.tokens - 1);
}
