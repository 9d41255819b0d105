/**
 * The page's address as submissions take it, without what may follow its path. A framed page may have none, and some have
 * very long ones: nothing is said of those, since nobody's review may fail for them.
 */
export const pageUrl = ({ origin, pathname }: Pick<Location, "origin" | "pathname">): string | undefined =>
  /^https?:.{1,1990}$/.test(origin + pathname) ? origin + pathname : undefined;
