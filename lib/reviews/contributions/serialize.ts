import { env } from "@/lib/platform/env";
import type { ContributionTable } from "@/lib/reviews/contributions/schema";
import { imageObjects } from "@/lib/reviews/uploads/image-objects";

/** URL prefix and suffix of a client's contributions, computed once per page. */
export type Addresses = { before: string; after: string };

/** URLs of a client's contributions in the portal. */
export const portalAddresses = (table: ContributionTable, clientId: string): Addresses => ({
  before: `${env().PUBLIC_URL}/portal/${table}/`,
  after: `?client_id=${encodeURIComponent(clientId)}`,
});

/** The columns that a row's JSON is made of, as text: see `Line`. */
type StoredLine = readonly [body: string, id: string, images: string, accepted: string | null, ...rest: unknown[]];

/**
 * A contribution's JSON in two parts: the stored part, and what depends on time or server: image URLs (signed unless
 * accepted) and the portal's URL. Without `people`, only the author's public name is included.
 */
export function contributionParts(
  [body, id, images, accepted]: StoredLine,
  portal: Addresses,
  { people = true }: { people?: boolean } = {},
): readonly [kept: string, rest: string] {
  const shown = images === "[]" ? "[]" : JSON.stringify(imageObjects(JSON.parse(images), { signed: accepted !== "t" }));
  return [
    people ? body : withoutPeople(body),
    `,"images":${shown},"portal_url":"${portal.before}${id}${portal.after}"}`,
  ];
}

/** {@link contributionParts}, joined. */
export const contributionJson = (...of: Parameters<typeof contributionParts>): string =>
  contributionParts(...of).join("");

/** The stored JSON has no closing brace. */
function withoutPeople(body: string): string {
  const shown = JSON.parse(`${body}}`);
  for (const key of ["author_email", "customer_id"]) if (key in shown) shown[key] = null;
  return JSON.stringify(shown).slice(0, -1);
}
