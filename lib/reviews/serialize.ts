import { env } from "@/lib/env";
import { imageObjects } from "@/lib/uploads/image-objects";
import type { ReviewLine } from "./sql";

/** Ends of the addresses in one client's answers, made once a page. */
export type Addresses = { before: string; after: string };

/** Where a client's reviews are found in the portal. */
export const portalAddresses = (clientId: string): Addresses => ({
  before: `${env().PUBLIC_URL}/portal/reviews/`,
  after: `?client_id=${encodeURIComponent(clientId)}`,
});

/**
 * A review's JSON. The row holds it ready but for what depends on the moment or the server: image addresses (signed
 * while the review is not accepted) and the portal's address. Without `people` nothing of it tells who wrote it but
 * the public name.
 */
export function reviewJson(
  [body, id, images, accepted]: ReviewLine,
  portal: Addresses,
  { people = true }: { people?: boolean } = {},
): string {
  const start = people ? body : withoutPeople(body);
  const shown = images === "[]" ? "[]" : JSON.stringify(imageObjects(JSON.parse(images), { signed: accepted !== "t" }));
  return `${start},"images":${shown},"portal_url":"${portal.before}${id}${portal.after}"}`;
}

/** The kept JSON lacks its closing brace. */
function withoutPeople(body: string): string {
  const review = { ...JSON.parse(`${body}}`), author_email: null, customer_id: null };
  return JSON.stringify(review).slice(0, -1);
}
