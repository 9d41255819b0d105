import { randomBytes } from "node:crypto";
import { env } from "@/lib/platform/env";

/**
 * The Content-Security-Policy of a page. Scripts run only with the request's nonce, which Next puts on its own; nothing
 * may frame a page. Images may come from a shop's https address (logos in mails) and from PUBLIC_URL, which can be
 * another name of this server. Styles are inline in mails and in React's style attributes.
 */
export function contentSecurityPolicy(nonce: string): string {
  const { NODE_ENV, PUBLIC_URL } = env();
  // React rebuilds server stacks with eval while developing.
  const developing = NODE_ENV === "development" ? " 'unsafe-eval'" : "";
  return [
    "default-src 'self'",
    `script-src 'self' 'nonce-${nonce}' 'strict-dynamic'${developing}`,
    "style-src 'self' 'unsafe-inline'",
    `img-src 'self' data: blob: https: ${PUBLIC_URL}`,
    // The widget of the demo shop asks PUBLIC_URL, as it does from any shop.
    `connect-src 'self' ${PUBLIC_URL}`,
    "font-src 'self' data:",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-src 'self'",
    "frame-ancestors 'none'",
  ].join("; ");
}

/** The request header in which Next looks for the nonce, and the answer's policy. A visitor's own value is replaced. */
export const POLICY_HEADER = "content-security-policy";

/** A policy with a nonce that was never used before. */
export const newPolicy = (): string => contentSecurityPolicy(randomBytes(16).toString("base64"));
