import { createHash } from "node:crypto";
import { LRUCache } from "lru-cache";
import { env } from "@/lib/platform/env";
import { AppError } from "@/lib/platform/errors";
import type { Reason } from "@/lib/platform/issue";
import { perProcess } from "@/lib/platform/process";

/** Token buckets: `burst` at once, refilled at `perSecond`, counted by each process for itself. Published in the docs. */
export const limits = {
  management: { burst: 1_000, perSecond: 100 },
  submission: { burst: 120, perSecond: 1 },
  feedback: { burst: 300, perSecond: 5 },
  upload: { burst: 60, perSecond: 1 },
  /** by address: whole feeds, each as long as all reviews of a client */
  feed: { burst: 30, perSecond: 1 / 60 },
  failed_address: { burst: 50, perSecond: 50 / 600 },
  /** by user name and address, then its network (/24, of IPv6 /64), then alone; and of a browser that is known */
  failed_user: { burst: 10, perSecond: 10 / 600 },
  failed_network: { burst: 30, perSecond: 30 / 600 },
  failed_name: { burst: 100, perSecond: 100 / 600 },
  /** by person, in the person's row: all processes count together (`lib/accounts/sign-in/second-factor.ts`) */
  failed_code: { burst: 10, perSecond: 10 / 600 },
  /** by address: links for a forgotten password */
  reset_address: { burst: 20, perSecond: 20 / 3_600 },
  /** by person: mails that somebody has sent to an address they give, of people of the shop or to try things */
  people_mail: { burst: 30, perSecond: 30 / 3_600 },
  /** by person: templates that are tried */
  mail_preview: { burst: 60, perSecond: 1 },
} as const;

export type LimitName = keyof typeof limits;

const MiB = 1024 * 1024;
/**
 * Bytes of bodies that are read before anybody can tell whose they are: a public key travels in the body. Counted by
 * address alone, as much as the limits of calls allow one client at its largest, and room for very many usual ones.
 */
export const byteLimits = {
  submission_bytes: { burst: 32 * MiB, perSecond: MiB },
  upload_bytes: { burst: 640 * MiB, perSecond: 10 * MiB },
} as const;

export type ByteLimitName = keyof typeof byteLimits;

const allLimits = { ...limits, ...byteLimits };
type AnyLimit = keyof typeof allLimits;

type Bucket = { tokens: number; at: number };
/** A user name that somebody tries is as long as a header or a form allows; the table of buckets keeps a hash of it. */
const MAX_KEY_LENGTH = 200;
const buckets = () => perProcess("rate-limits", () => new LRUCache<string, Bucket>({ max: 100_000 }));

function factor(): number | null {
  const { RATE_LIMITS } = env();
  return RATE_LIMITS === "off" ? null : RATE_LIMITS;
}

/** What a limit is at these settings; null where limits are off. For what is counted elsewhere than here. */
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
 * What is left of a bucket, and in how many seconds it is full again (or holds one token): as the IETF's draft says it
 * today (`RateLimit`, `RateLimit-Policy`), and in the three fields of its earlier editions, which most clients read.
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

/** The refusal of a bucket without a token, with the seconds until it has one. */
const limitExceeded = (
  name: LimitName,
  reason: Reason,
  { bucket, burst, perSecond }: ReturnType<typeof refill>,
): AppError => rateLimitError(name, reason, { burst, perSecond, left: bucket.tokens });

/** The refusal where `left` of a limit is less than one. */
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
 * Takes one token of `key`, or throws `rate_limited` with Retry-After. Returns the RateLimit headers of the answer
 * (empty when limits are off).
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
 * Takes `bytes` of an address's share, or throws `rate_limited` when that is used up. What is larger than the rest is
 * still let through and leaves a debt, so that a small share (RATE_LIMITS) slows large bodies down and never shuts them
 * out.
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
  // No number at all, as a header may hold, must not empty or fill the bucket for good.
  bucket.tokens -= Math.max(0, bytes) || 0;
}

/** Throws when `key` has no token left, without taking one: asked before a password is checked. */
export function requireToken(name: LimitName, key: string): void {
  const scale = factor();
  if (scale === null) return;
  const found = refill(name, key, scale);
  if (found.bucket.tokens < 1) throw limitExceeded(name, "too_many_failed_sign_ins", found);
}

/** Takes a token if there is one: counts a failure. */
export function deductToken(name: LimitName, key: string): void {
  const scale = factor();
  if (scale === null) return;
  const { bucket } = refill(name, key, scale);
  bucket.tokens = Math.max(0, bucket.tokens - 1);
}
