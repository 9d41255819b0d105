/** Whether `Accept-Encoding` accepts gzip (or `*`) with a weight other than 0. */
export const acceptsGzip = (header: string | null): boolean =>
  (header ?? "").split(",").some((each) => {
    const [coding, ...parameters] = each.split(";").map((part) => part.trim().toLowerCase());
    return (coding === "gzip" || coding === "*") && !parameters.some((parameter) => /^q=0(\.0{0,3})?$/.test(parameter));
  });
