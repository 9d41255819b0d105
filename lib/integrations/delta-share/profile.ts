import { z } from "zod";
import { headerText } from "@/lib/integrations/kind";

/** A recipient's profile, as a Delta Sharing server hands it out in a file. Browser-safe. */
const Profile = z.object({
  shareCredentialsVersion: z.literal(1, {
    error: "is of a version that is not known; version 1 with a bearerToken is",
  }),
  endpoint: z.url({ protocol: /^https?$/, error: "must be an address" }).max(2_000),
  bearerToken: headerText(8_000),
  expirationTime: z.iso.datetime({ offset: true }).nullish(),
});
export type Profile = z.output<typeof Profile>;

/** What is wrong with the text of a profile, as a sentence; null where it can be used. */
export function profileFault(text: string): string | null {
  const parsed = parse(text);
  if (parsed === undefined) return "must be the JSON of the profile file, from its first bracket to its last";
  const { error } = Profile.safeParse(parsed);
  const issue = error?.issues[0];
  return issue ? `${issue.path.join(".") || "the profile"}: ${issue.message}` : null;
}

/** A profile that was judged when it was kept. */
export function readProfile(text: string): Profile {
  const profile = Profile.parse(parse(text));
  return { ...profile, endpoint: profile.endpoint.replace(/(?<!\/)\/+$/, "") };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // no JSON, which is said by whoever asked
  }
}
