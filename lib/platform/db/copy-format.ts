// Encodes values in the text format of PostgreSQL's COPY. They must not contain NUL, like any text in the database.

export const copyText = (value: string | null): string => {
  if (value === null) return "\\N";
  return /[\\\n\r\t]/.test(value) ? value.replace(/[\\\n\r\t]/g, (found) => escapes[found]!) : value;
};
const escapes: Record<string, string> = { "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t" };

export const copyList = (values: string[] | null): string =>
  values === null ? "\\N" : copyText(`{${values.map((value) => `"${value.replace(/["\\]/g, "\\$&")}"`).join(",")}}`);
