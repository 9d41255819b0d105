import { createHmac } from "node:crypto";
import { perProcess } from "@/lib/db/process";
import { secretKey } from "@/lib/env";

/** An e-mail address as it is compared: trimmed, NFC, lower-case. Stored addresses stay as given. */
export const emailKey = (email: string): string => email.trim().normalize("NFC").toLowerCase();

/**
 * A person by keyed hash, for what must outlive an erasure (suppression, running quarantine): of a customer id, or of
 * an e-mail address (any spelling). 32 base64url characters; different per client, so that lists cannot be compared.
 */
export function personHash(clientId: string, kind: "customer" | "email", value: string): string {
  const key = perProcess("person-key", () => secretKey("person/1"));
  const person = kind === "email" ? emailKey(value) : value;
  return createHmac("sha256", key)
    .update(JSON.stringify([clientId, kind, person]))
    .digest("base64url")
    .slice(0, 32);
}
