import { z } from "zod";
import { headerText } from "@/lib/integrations/kind";
import { parse } from "@/lib/platform/http/issues";
import { encodeReason } from "@/lib/platform/issue";

/** A recipient's profile, as issued by a Delta Sharing server. Browser-safe. */
const Profile = z.object({
  shareCredentialsVersion: z.literal(1, {
    error: encodeReason("unknown_profile_version"),
  }),
  endpoint: z.url({ protocol: /^https?$/, error: encodeReason("not_an_address") }).max(2_000),
  bearerToken: headerText(8_000),
  expirationTime: z.iso.datetime({ offset: true }).nullish(),
});
export type Profile = z.output<typeof Profile>;

/** What is wrong with a profile, as an encoded reason; null if it's valid. */
export function profileIssue(text: string): string | null {
  const parsed = parseText(text);
  if (parsed === undefined) return encodeReason("not_a_profile");
  const [issue] = parse(Profile, parsed).issues ?? [];
  if (!issue) return null;
  if (issue.reason === "unknown_profile_version") return encodeReason(issue.reason);
  return issue.field === null
    ? encodeReason("not_a_profile")
    : encodeReason("invalid_profile_member", { member: issue.field });
}

/** Parses a profile that was validated when it was saved. */
export function readProfile(text: string): Profile {
  const profile = Profile.parse(parseText(text));
  return { ...profile, endpoint: profile.endpoint.replace(/(?<!\/)\/+$/, "") };
}

function parseText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // not JSON: reported by the caller
  }
}
