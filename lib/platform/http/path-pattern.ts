/**
 * Matches the paths of a contract, with a group per parameter. A parameter stands for one segment, except `{path}` at
 * the end, which stands for all that follow.
 */
export const pathPattern = (path: string): RegExp =>
  new RegExp(
    `^${path
      .replace(/[.]/g, "\\.")
      .replace(/\{path\}$/, "(.+)")
      .replace(/\{\w+\}/g, "([^/]+)")}$`,
  );
