/**
 * Query parameters that identify a person or grant access. `q` is a portal search: often an email address or customer
 * id.
 */
const secretParameters = new Set([
  "token",
  "email",
  "customer_email",
  "customer_id",
  "api_key",
  "q",
  "signature",
  "voter_id",
  "comment",
  "receipt",
]);

/**
 * Misplaced credentials: after `&` without a `?`, after a second `?`, or escaped twice. Matches the rest of the segment
 * too.
 */
const misplaced = /(token|api_key)((?:=|%(?:25)*3d)+)[^&;/?#]*/gi;
/** A secret key as created by lib/accounts/api-keys.ts. */
const secretKey = /sk_[0-9a-f]{48}/i;
/** A possible secret key, for the log, where masking a product's id does no harm. */
const secretKeys = /(?<=[^a-z0-9]|%[0-9a-f]{2})sk(_|%(?:25)*5f)[\w-]+/gi;

/** Path and query of a URL for the log: masks values that identify a person or grant access. */
export function maskedPath({ pathname, search }: Pick<URL, "pathname" | "search">): string {
  const shown = maskedSegments(pathname) + (search === "" ? "" : maskedQuery(search));
  return shown.replace(misplaced, "$1$2***").replace(secretKeys, "sk$1***");
}

function maskedQuery(search: string): string {
  const parameters = new URLSearchParams(search);
  const secret = [...parameters.keys()].filter((name) => secretParameters.has(name.toLowerCase()));
  for (const name of secret) parameters.set(name, "***");
  return secret.length === 0 ? search : `?${parameters}`;
}

/** Truncates tokens of links that grant access (invitation, opt-out, summary, edit, author's page, feedback, signed images, receipt, recording). */
const maskedSegments = (pathname: string): string =>
  pathname.replace(
    /^(\/(?:r|o|d|me|edit|verify|collect\/feedback|images|honesty\/[^/]+\/receipt|portal\/recording)\/)([^/]{4})[^/]*/,
    "$1$2…",
  );

/**
 * The URL as pages see it: without credentials in the query. Pages don't use them, but the framework repeats URLs in
 * redirects and its log.
 */
export function withoutCredentials(address: string): string {
  const [path = "", ...rest] = address.split("?");
  const query = rest.join("?");
  if (!/token|api_key|sk_/i.test(decoded(query))) return address;
  const isCredential = (name: string, value: string) =>
    /^(token|api_key)$/i.test(name) ||
    /token=|api_key=/i.test(`${name}=${value}`) ||
    secretKey.test(`${name}=${value}`);
  const remaining = [...new URLSearchParams(query)].filter(([name, value]) => !isCredential(name, value));
  return remaining.length > 0 ? `${path}?${new URLSearchParams(remaining)}` : path;
}

/** Whether a path contains a credential that belongs in the query: `/portal&token=…`, or a secret key anywhere. */
export const isMisplacedCredential = (path: string): boolean =>
  /[&;?](token|api_key)=/i.test(decoded(path)) || secretKey.test(decoded(path));

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
