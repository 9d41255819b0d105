import { createHmac, randomBytes } from "node:crypto";

/** A name and its value, not encoded. */
export type Pair = readonly [name: string, value: string];

export type OAuth1Keys = {
  consumer_key: string;
  consumer_secret: string;
  access_token: string;
  token_secret: string;
};

/** RFC 3986: escapes everything but letters, digits and `-._~`; a space is `%20`, never `+`. */
export const percentEncoded = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);

/** The query as it is sent and signed. */
export const queryOf = (pairs: readonly Pair[]): string =>
  pairs.map(([name, value]) => `${percentEncoded(name)}=${percentEncoded(value)}`).join("&");

/**
 * Authorization header of OAuth 1.0a (RFC 5849) with HMAC-SHA256, the only method that version 2.4.4 and later accept.
 * `pairs` is the whole query; a JSON body isn't signed. Uses the real time, since the store checks it.
 */
export function oauth1Header(
  keys: OAuth1Keys,
  method: string,
  url: URL,
  pairs: readonly Pair[],
  { nonce = randomBytes(16).toString("hex"), timestamp = Math.floor(Date.now() / 1000) } = {},
): string {
  const own: Pair[] = [
    ["oauth_consumer_key", keys.consumer_key],
    ["oauth_nonce", nonce],
    ["oauth_signature_method", "HMAC-SHA256"],
    ["oauth_timestamp", String(timestamp)],
    ["oauth_token", keys.access_token],
    ["oauth_version", "1.0"],
  ];
  const signed: Pair[] = [...own, ["oauth_signature", signature(keys, method, url, [...own, ...pairs])]];
  return `OAuth ${signed.map(([name, value]) => `${percentEncoded(name)}="${percentEncoded(value)}"`).join(", ")}`;
}

/** Signature over the method, the URL without query, and all parameters except the signature itself. */
export function signature(
  keys: Pick<OAuth1Keys, "consumer_secret" | "token_secret">,
  method: string,
  url: URL,
  pairs: readonly Pair[],
): string {
  const parameters = pairs
    .map(([name, value]) => [percentEncoded(name), percentEncoded(value)] as const)
    .sort(([a, one], [b, other]) => compare(a, b) || compare(one, other))
    .map((pair) => pair.join("="))
    .join("&");
  const base = [method.toUpperCase(), url.origin + url.pathname, parameters].map(percentEncoded).join("&");
  const key = `${percentEncoded(keys.consumer_secret)}&${percentEncoded(keys.token_secret)}`;
  return createHmac("sha256", key).update(base).digest("base64");
}

/** By bytes: escaped text is ASCII. */
const compare = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0);
