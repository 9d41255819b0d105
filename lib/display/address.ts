import { env } from "@/lib/env";

/** The list of reviews that `your_review_url` names. */
export const listPath = (clientId: string): string => `/onpage/${encodeURIComponent(clientId)}/reviews/list.json`;

/** An absolute address with those parameters that have a value. */
export function addressOf(path: string, parameters: Record<string, string | null>): string {
  const given = Object.entries(parameters).filter((entry): entry is [string, string] => entry[1] !== null);
  return `${env().PUBLIC_URL}${path}?${new URLSearchParams(given)}`;
}
