import { personHash } from "@/lib/platform/secrets/person-hash";

/**
 * Keyed hashes of all customer ids and email addresses in an API request or response, at any depth, by the API's field
 * names. Stored with copies such as idempotent responses, so that an erasure finds them.
 */
export function personHashesIn(clientId: string, value: unknown): string[] {
  const found = new Set<string>();
  const visit = (node: unknown): void => {
    if (node === null || typeof node !== "object") return;
    for (const [name, member] of Object.entries(node)) {
      if (typeof member === "string" && member !== "") {
        if (name === "customer_id") found.add(personHash(clientId, "customer", member));
        if (name === "email" || name === "author_email") found.add(personHash(clientId, "email", member));
      } else {
        const { id } = (name === "customer" && member !== null ? member : {}) as { id?: unknown };
        if (typeof id === "string") found.add(personHash(clientId, "customer", id));
        visit(member);
      }
    }
  };
  visit(value);
  return [...found].sort();
}
