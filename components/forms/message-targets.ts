/**
 * The origins that a framed form sends its messages to: the framing page's, as the browser names it, or by the
 * referrer. Neither may be known. Then all that may frame the form, since the browser delivers to the right one only.
 */
export function messageTargets(ancestors: string[], parent: string | undefined, referrer: string): string[] {
  if (ancestors.includes("*")) return ["*"];
  const known = [parent, URL.canParse(referrer) ? new URL(referrer).origin : undefined].find(
    (origin) => origin !== undefined && ancestors.includes(origin),
  );
  return known ? [known] : ancestors;
}
