/** Whether `Accept-Encoding` accepts gzip with a weight other than 0: by its name, or as `*` if it isn't named. */
export function acceptsGzip(header: string | null): boolean {
  const accepted = new Map<string, boolean>();
  for (const each of (header ?? "").split(",")) {
    const [coding = "", ...parameters] = each.split(";").map((part) => part.trim().toLowerCase());
    accepted.set(coding, !parameters.some((parameter) => /^q=0(\.0{0,3})?$/.test(parameter)));
  }
  return accepted.get("gzip") ?? accepted.get("*") ?? false;
}
