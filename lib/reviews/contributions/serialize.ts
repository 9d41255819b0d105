import { env } from "@/lib/platform/env";
import type { ContributionTable } from "@/lib/reviews/contributions/schema";
import { imageObjects } from "@/lib/reviews/uploads/image-objects";

/** Ends of the addresses in one client's answers, made once a page. */
export type Addresses = { before: string; after: string };

/** Where a client's contributions are found in the portal. */
export const portalAddresses = (table: ContributionTable, clientId: string): Addresses => ({
  before: `${env().PUBLIC_URL}/portal/${table}/`,
  after: `?client_id=${encodeURIComponent(clientId)}`,
});

/** The part of a row that its JSON is made of, as text: see `Line`. */
type StoredLine = readonly [body: string, id: string, images: string, accepted: string | null, ...rest: unknown[]];

/**
 * A contribution's JSON in two parts: what the row holds ready, and what depends on the moment or the server: image
 * addresses (signed while it is not accepted) and the portal's address. Without `people` nothing of it tells who wrote it
 * but the public name.
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

/** The same in one piece. */
export const contributionJson = (...of: Parameters<typeof contributionParts>): string =>
  contributionParts(...of).join("");

/** The kept JSON lacks its closing brace. */
function withoutPeople(body: string): string {
  const shown = JSON.parse(`${body}}`);
  for (const key of ["author_email", "customer_id"]) if (key in shown) shown[key] = null;
  return JSON.stringify(shown).slice(0, -1);
}
