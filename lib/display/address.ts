import { env } from "@/lib/platform/env";

type List = "reviews/list.json" | "reviews/external.json" | "questions.json" | "seller_reviews.json";

/** Path of one of a client's display lists: `your_review_url` and `your_question_url` link to the first two. */
export const listPath = (clientId: string, list: List): string => `/onpage/${encodeURIComponent(clientId)}/${list}`;

/** An absolute URL with those parameters that have a value. */
export function absoluteUrl(path: string, parameters: Record<string, string | null>): string {
  const given = Object.entries(parameters).filter((entry): entry is [string, string] => entry[1] !== null);
  return `${env().PUBLIC_URL}${path}?${new URLSearchParams(given)}`;
}
