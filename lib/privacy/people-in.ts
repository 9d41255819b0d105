import { personHash } from "@/lib/platform/secrets/person-hash";

/**
 * Whom a request or an answer of the API tells of, as keyed hashes: every customer id and e-mail address in it, at any
 * depth. For copies that are kept beside the rows (answers to repeated requests), so that an erasure finds them. Members
 * are known by the names that the API's resources give them.
 */
export function peopleIn(clientId: string, value: unknown): string[] {
  const found = new Set<string>();
  const visit = (holder: unknown): void => {
    if (holder === null || typeof holder !== "object") return;
    for (const [name, member] of Object.entries(holder)) {
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
