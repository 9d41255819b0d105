import { env } from "@/lib/platform/env";

type List = "reviews/list.json" | "reviews/external.json" | "questions.json" | "seller_reviews.json";

/** Path of one of a client's display lists: `your_review_url` and `your_question_url` link to the first two. */
export const listPath = (clientId: string, list: List): string => `/onpage/${encodeURIComponent(clientId)}/${list}`;

type Parameters = Record<string, string | null | undefined>;

/** An absolute URL with those parameters that have a value. */
export const absoluteUrl = (path: string, parameters: Parameters): string =>
  withParameters(`${env().PUBLIC_URL}${path}`, parameters);

/** An absolute URL, with those further parameters that have a value. */
export function withParameters(address: string, parameters: Parameters): string {
  const url = new URL(address);
  for (const [name, value] of Object.entries(parameters)) if (value != null) url.searchParams.set(name, value);
  return url.href;
}
