import {
  type EngagementClient,
  type EngagementResponse,
  isNotFound,
  isSuccess,
} from "@/lib/integrations/engagement/client";
import { DeliveryError, toDeliveryError } from "@/lib/integrations/engagement/delivery-error";
import type { contactKeys } from "@/lib/integrations/engagement/settings";

export type ContactIdentity = { customer_key: string | null; email: string | null };
export type ContactLookup = { contact: string } | { missing: "no_contact" | "ambiguous_contact" | "no_email" };

type LookupSettings = {
  contact_lookup: readonly (typeof contactKeys)[number][];
  contact_type: string | null;
};

const queryNames = { customer_key: "customKey", email: "email" } as const;

/**
 * Finds a person's contact by the configured fields, in order. Several matches are ambiguous and count as none. Never
 * creates a contact, since that would be marketing without consent.
 */
export async function findContact(
  ask: EngagementClient,
  person: ContactIdentity,
  settings: LookupSettings,
): Promise<ContactLookup> {
  let hasLookedUp = false;
  for (const key of settings.contact_lookup) {
    const value = person[key]?.trim();
    if (!value) continue;
    hasLookedUp = true;
    const query = new URLSearchParams({ [queryNames[key]]: value });
    if (settings.contact_type !== null) query.set("contactType", settings.contact_type);
    // Some servers decode "+" as a space.
    const answer = await ask("GET", `/contacts/id?${query.toString().replaceAll("+", "%20")}`);
    if (isSuccess(answer)) return { contact: idOf(answer) };
    if (answer.status === 409) return { missing: "ambiguous_contact" };
    if (!isNotFound(answer) && !isInvalidLookup(answer)) throw toDeliveryError(answer);
  }
  return { missing: hasLookedUp ? "no_contact" : "no_email" };
}

/** The response is plain text, in some versions with a different content type. */
function idOf({ body }: EngagementResponse): string {
  const id = typeof body === "string" ? body.trim().replace(/^"|"$/g, "") : "";
  if (/^[\w-]{1,64}$/.test(id)) return id;
  throw new DeliveryError("unavailable", [{ reason: "contact_lookup_unreadable" }]);
}

/** The platform considers the email or key invalid, so no contact can have it. */
function isInvalidLookup({ status, body }: EngagementResponse): boolean {
  const code = typeof body === "object" && body !== null ? (body as { errorCode?: unknown }).errorCode : undefined;
  return status === 400 && (code === "InvalidEmailAddress" || code === "InvalidSearchQuery");
}
