import { validate } from "@/lib/platform/http/validate";
import { emailKey } from "@/lib/platform/secrets/person-hash";
import { PersonIdentifier } from "@/lib/privacy/schema";

/** A data subject: a customer of the merchant, or everyone with an email address (normalized). */
export type Person = { by: "customer"; id: string } | { by: "email"; email: string };

/** The person in a request. Throws `invalid_field` unless exactly one of the two fields is set. */
export function personOf(named: unknown): Person {
  const { customer_id, email } = validate(PersonIdentifier, named, "invalid_field");
  return typeof customer_id === "string"
    ? { by: "customer", id: customer_id }
    : { by: "email", email: emailKey(email as string) };
}
