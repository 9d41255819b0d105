import type { WidgetSettings } from "../settings";
import type { ReviewList, Summary } from "../types";
import { viewsOf } from "../views";
import { h } from "./dom";

declare const CANDOR: WidgetSettings;

/** The client's settings, which the server puts in front of this script. */
export const settings = CANDOR;
export const { shop } = settings;
export const views = viewsOf(h, settings);
export const { t } = views;

/** The product of the page. */
export type Product = {
  id?: string;
  family?: string;
  name?: string;
  /** its summary's URL, if it isn't simply that of `id` and `family` */
  summaryUrl?: string;
  onBadgeClick?: () => void;
};

/** A URL with those parameters that have a value. */
export function withQuery(address: string, values: Record<string, string | undefined> = {}): string {
  const url = new URL(address, settings.origin);
  for (const [name, value] of Object.entries(values)) if (value) url.searchParams.set(name, value);
  return url.href;
}

/** A URL of this client. */
export const clientUrl = (path: string, values?: Record<string, string | undefined>): string =>
  withQuery(`/onpage/${encodeURIComponent(settings.client)}/${path}`, values);

export const subjectQuery = ({ id, family }: Product) => ({ key: id, url_key: family });

/** Fetches without cookies. Rejects if the response isn't successful. */
export async function fetchOk(url: string, init?: RequestInit): Promise<Response> {
  const answer = await fetch(url, { credentials: "omit", ...init });
  if (!answer.ok) throw new Error(`${answer.status} ${url}`);
  return answer;
}

export const readJson = async <T>(url: string): Promise<T> => (await fetchOk(url)).json();

/** Shares one run of `make` among its callers. After a failure, the next call runs it again. */
export function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => {
    made ??= make().catch((error) => {
      made = undefined;
      throw error;
    });
    return made;
  };
}

const partUrls: Record<string, string> = {};
/** Loads another module of the widget. */
export function loadPart<Part>(file: string): Promise<Part> {
  partUrls[file] ??= clientUrl(file, { v: settings.version });
  return import(partUrls[file]).catch((error) => {
    // Another URL for the next attempt: browsers can remember that this one couldn't be loaded.
    partUrls[file] += "&";
    throw error;
  });
}

let summaries: Record<string, () => Promise<Summary>> = {};
export const clearSummaries = () => {
  summaries = {};
};
/** A product's summary, loaded once for all sections of a page. */
export function fetchSummary(product: Product): Promise<Summary> {
  const url = product.summaryUrl ?? clientUrl("reviews.json", subjectQuery(product));
  summaries[url] ??= once(() => readJson<Summary>(url));
  return summaries[url]();
}

/** Most empty pages read in search of a match. */
const MAX_EMPTY_PAGES = 5;

/**
 * A page of reviews. With filters a page may be empty although later ones aren't: skips up to {@link MAX_EMPTY_PAGES},
 * after which the visitor decides whether to load more.
 */
export async function readReviewPage(url: string): Promise<ReviewList> {
  let page = await readJson<ReviewList>(url);
  for (let n = 1; n < MAX_EMPTY_PAGES && page.reviews.length === 0 && page.next_page_url; n += 1)
    page = await readJson<ReviewList>(page.next_page_url);
  return page;
}
