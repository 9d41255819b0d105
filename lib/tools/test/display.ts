import { expect } from "vitest";
import * as badge from "@/app/badge/[client_id]/reviews.json/route";
import * as questions from "@/app/onpage/[client_id]/questions.json/route";
import * as ratings from "@/app/onpage/[client_id]/ratings.json/route";
import * as external from "@/app/onpage/[client_id]/reviews/external.json/route";
import * as list from "@/app/onpage/[client_id]/reviews/list.json/route";
import * as summary from "@/app/onpage/[client_id]/reviews.json/route";
import * as score from "@/app/onpage/[client_id]/score.json/route";
import * as sellerReviews from "@/app/onpage/[client_id]/seller_reviews.json/route";
import * as oldSellerReviews from "@/app/seller_reviews.json/route";
import type { Methods } from "@/lib/api/methods";
import { call } from "@/lib/tools/test/call";

const routes: [path: RegExp, methods: Methods][] = [
  [/^\/seller_reviews\.json$/, oldSellerReviews],
  [/^\/badge\//, badge],
  [/\/reviews\/list\.json$/, list],
  [/\/reviews\/external\.json$/, external],
  [/\/questions\.json$/, questions],
  [/\/ratings\.json$/, ratings],
  [/\/score\.json$/, score],
  [/\/reviews\.json$/, summary],
  [/\/seller_reviews\.json$/, sellerReviews],
];

/** The path of one of a store's displays. */
export const displayPath = (clientId: string, file: string, query = ""): string =>
  `/onpage/${clientId}/${file}${query && `?${query}`}`;

/**
 * Reads any of the displays, by its path or by its URL in another one, as a program that doesn't know their addresses.
 * Fails unless it is successful and sets no cookie.
 */
// biome-ignore lint/suspicious/noExplicitAny: answers of any of the displays, which their contracts check
export async function readDisplay(address: string): Promise<any> {
  const { pathname, search } = new URL(address, "http://localhost:3000");
  const [, methods] = routes.find(([pattern]) => pattern.test(pathname)) ?? [];
  if (!methods) throw new Error(`There is no display at ${address}.`);
  const answer = await call(methods, "GET", pathname + search);
  expect([address, answer.status, answer.headers.get("set-cookie"), answer.text]).toEqual([
    address,
    200,
    null,
    expect.any(String),
  ]);
  return answer.json;
}

type Row = { id: string };
export type ListMember = "reviews" | "questions" | "seller_reviews";

/** The ids of all rows of a list, by following `next_page_url`. */
export async function walkDisplay(address: string, member: ListMember): Promise<string[]> {
  const ids: string[] = [];
  for (let next: string | null = address; next; ) {
    const page = await readDisplay(next);
    ids.push(...page[member].map(({ id }: Row) => id));
    next = page.next_page_url;
  }
  return ids;
}
