/** Who opens a link to vote: pure decisions. */

/** A script of this page's origin (null if unknown), or anything else: a person, a prefetch, an email scanner. */
export type LinkCaller = { script: true; origin: string | null } | { script: false };

/**
 * Tells scripts apart from everything else that opens links. Only browsers send `Sec-Fetch-*`, and pages can't set
 * them: a script element has `Sec-Fetch-Dest: script` (and names its page in `Referer` only), `fetch` has `empty` and
 * an `Origin` if it's another site's. What is loaded in advance is announced in one of several headers.
 */
export function linkCaller(headers: Headers, callback: string | undefined): LinkCaller {
  const isPrefetch = ["sec-purpose", "purpose", "x-purpose", "x-moz"].some((name) =>
    /prefetch|preview|prerender/i.test(headers.get(name) ?? ""),
  );
  if (isPrefetch) return { script: false };
  const destination = headers.get("sec-fetch-dest");
  const origin = headers.get("origin");
  if (destination === "script" && callback !== undefined)
    return { script: true, origin: origin ?? originOf(headers.get("referer")) };
  if (destination === "empty" && origin !== null) return { script: true, origin };
  return { script: false };
}

const originOf = (referer: string | null): string | null =>
  referer !== null && URL.canParse(referer) ? new URL(referer).origin : null;
