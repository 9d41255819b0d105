/**
 * The page's URL for submissions, without query and fragment. Undefined for a framed page without a URL and for very
 * long ones: a review must not be rejected because of them.
 */
export const pageUrl = ({ origin, pathname }: Pick<Location, "origin" | "pathname">): string | undefined =>
  /^https?:.{1,1990}$/.test(origin + pathname) ? origin + pathname : undefined;
