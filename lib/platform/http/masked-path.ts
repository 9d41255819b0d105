/** Query values that tell who somebody is, or let somebody in. `q` is what somebody searches the portal for: often an address or a customer's id. */
const secretParameters = new Set([
  "token",
  "email",
  "customer_email",
  "customer_id",
  "api_key",
  "q",
  "signature",
  "voter_id",
]);

/**
 * Credentials where they do not belong: after `&` without a `?`, behind a second `?`, escaped twice. The rest of such a
 * piece goes too.
 */
const misplaced = /(token|api_key)((?:=|%(?:25)*3d)+)[^&;/?#]*/gi;
/** A secret key as lib/accounts/api-keys.ts makes them. */
const secretKey = /sk_[0-9a-f]{48}/i;
/** What may be one, for the log: there it does no harm to mask a product's id too. */
const secretKeys = /(?<=[^a-z0-9]|%[0-9a-f]{2})sk(_|%(?:25)*5f)[\w-]+/gi;

/** Path and query of an address for the log: what tells who somebody is, or lets somebody in, is masked. */
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

/** Links that let somebody in by themselves (invitation, opt-out, summary, edit, feedback, signed images) are cut short. */
const maskedSegments = (pathname: string): string =>
  pathname.replace(/^(\/(?:r|o|d|edit|verify|collect\/feedback|images)\/)([^/]{4})[^/]*/, "$1$2…");

/**
 * What pages get to see of an address: never a credential in the query. Pages take none, but their framework repeats
 * addresses, in redirects and in its own log.
 */
export function withoutCredentials(address: string): string {
  const [path = "", ...rest] = address.split("?");
  const query = rest.join("?");
  if (!/token|api_key|sk_/i.test(decoded(query))) return address;
  const isCredential = (name: string, value: string) =>
    /^(token|api_key)$/i.test(name) ||
    /token=|api_key=/i.test(`${name}=${value}`) ||
    secretKey.test(`${name}=${value}`);
  const kept = [...new URLSearchParams(query)].filter(([name, value]) => !isCredential(name, value));
  return kept.length > 0 ? `${path}?${new URLSearchParams(kept)}` : path;
}

/** Whether a path carries a credential that was meant for the query: `/portal&token=…`, or a key of ours anywhere. */
export const isMisplacedCredential = (path: string): boolean =>
  /[&;?](token|api_key)=/i.test(decoded(path)) || secretKey.test(decoded(path));

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
