import { validate } from "@/lib/platform/http/validate";
import { emailKey } from "@/lib/platform/secrets/person-hash";
import { PersonIdentifier } from "@/lib/privacy/schema";

/** Whose data: a customer of the merchant, or whoever carries an address (as it is compared). */
export type Person = { by: "customer"; id: string } | { by: "email"; email: string };

/** The person that a request names. Throws `invalid_field` unless it is exactly one of the two (decisions 5). */
export function personOf(named: unknown): Person {
  const { customer_id, email } = validate(PersonIdentifier, named, "invalid_field");
  return typeof customer_id === "string"
    ? { by: "customer", id: customer_id }
    : { by: "email", email: emailKey(email as string) };
}
