import { randomBytes } from "node:crypto";
import { env } from "@/lib/platform/env";

const NO_FRAMES = "frame-ancestors 'none'";

/**
 * The Content-Security-Policy of a page. Scripts run only with the request's nonce, which Next adds to its own. No page
 * can be framed, unless it calls `allowFraming` (page-response.ts). Images may come from a store's https URL (logos in emails) and from PUBLIC_URL, which may be another
 * origin of this server. Emails and React's style attributes use inline styles.
 */
export function contentSecurityPolicy(nonce: string): string {
  const { NODE_ENV, PUBLIC_URL } = env();
  // React uses eval to rebuild server stacks in development.
  const developing = NODE_ENV === "development" ? " 'unsafe-eval'" : "";
  return [
    "default-src 'self'",
    `script-src 'self' 'nonce-${nonce}' 'strict-dynamic'${developing}`,
    "style-src 'self' 'unsafe-inline'",
    `img-src 'self' data: blob: https: ${PUBLIC_URL}`,
    // The demo store's widget calls PUBLIC_URL, as in any store.
    `connect-src 'self' ${PUBLIC_URL}`,
    "font-src 'self' data:",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-src 'self'",
    NO_FRAMES,
  ].join("; ");
}

/** The request header from which Next reads the nonce, and the response header. Replaces a visitor's value. */
export const POLICY_HEADER = "content-security-policy";

/** A policy with a new nonce. */
export const newPolicy = (): string => contentSecurityPolicy(randomBytes(16).toString("base64"));

/** The same policy for a page that these origins may frame; `*` is any. */
export const withFrameAncestors = (policy: string, ancestors: readonly string[]): string =>
  ancestors.length === 0 ? policy : policy.replace(NO_FRAMES, `frame-ancestors ${ancestors.join(" ")}`);
