import { createHash } from "node:crypto";
import { perProcess } from "@/lib/platform/process";

/** A short, stable name for a statement's text, so that PostgreSQL parses and plans it once per connection. */
export function statementName(text: string): string {
  const names = perProcess("statement-names", () => new Map<string, string>());
  let name = names.get(text);
  if (name === undefined) {
    name = createHash("sha1").update(text).digest("base64url");
    names.set(text, name);
  }
  return name;
}

/** Types for `pg` queries that pass on values as the database's text. */
export const asText = { getTypeParser: () => (value: string) => value };
