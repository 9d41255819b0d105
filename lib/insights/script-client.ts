/**
 * The store's id, still encoded, in the path of a widget's script; null for other paths. Pages made for a hosted service
 * have other paths than the snippet.
 */
export function scriptClientOf(pathname: string): string | null {
  const [, page, badge] =
    /^\/(?:onpage\/([^/]+)\/(?:head|prd|async)\.js|badge\/([^/]+)\/head\.js)$/.exec(pathname) ?? [];
  return page ?? badge ?? null;
}
