import { isTestStore } from "@/lib/accounts/stores/get-client";
import { findSubject } from "@/lib/catalog/products/find-subject";
import { version } from "@/lib/display/widget/generated/assets";
import { Html, html } from "@/lib/display/widget/html";
import { loadQuestions, loadReviews, loadSeller, loadSummary, type Subject } from "@/lib/display/widget/load-display";
import type { FragmentQuery, StructuredData, StructuredDataQuery } from "@/lib/display/widget/schema";
import { clientOf, settingsOf } from "@/lib/display/widget/show-assets";
import { structuredData, toScriptJson } from "@/lib/display/widget/structured-data";
import { type Views, viewsOf } from "@/lib/display/widget/views";
import { brandOf } from "@/lib/forms/brand";
import { env } from "@/lib/platform/env";
import { etagOf, matchesEtag } from "@/lib/platform/http/etag";
import { RawJson, Reply } from "@/lib/platform/http/reply";
import { languageOf } from "@/lib/platform/i18n/languages";

// For stores without scripts: pieces of HTML that their server fetches and puts into its pages. They are rendered by
// the widget's own views.

/** Reviews in structured data. */
const MAX_REVIEWS = 10;
const CACHE_CONTROL = "public, max-age=10, stale-while-revalidate=60";

/** A product's stars on one line. Throws `not_found` for an unknown client. */
export const showBadge = (clientId: string, query: FragmentQuery, headers: Headers): Promise<Reply<undefined>> =>
  renderFragment(clientId, query.lang, headers, async (views) => {
    const { your_review_count: count, your_avg_score: mean } = await loadSummary(clientId, query);
    return [
      html(
        "div",
        { class: "candor line" },
        html("span", { class: "badge" }, views.rating(mean, count, count ? undefined : views.t("none"))),
      ),
    ];
  });

/** A product's reviews, with structured data for search engines. Throws `not_found` for an unknown client. */
export const showReviewList = (clientId: string, query: FragmentQuery, headers: Headers): Promise<Reply<undefined>> =>
  renderFragment(clientId, query.lang, headers, async (views) => {
    const summary = await loadSummary(clientId, query);
    const { reviews } =
      summary.your_review_count > 0 ? await loadReviews(clientId, query, query.limit) : { reviews: [] };
    const link = html(
      "a",
      { class: "primary", href: summary.write_review_url, rel: "nofollow" },
      summary.your_review_count > 0 ? views.t("write") : views.t("first"),
    );
    const data = await dataOf(clientId, query);
    return [
      views.section(
        views.t("reviews"),
        views.overview(summary, link),
        html(
          "ol",
          { class: "list" },
          reviews.map((review) => views.review(review)),
        ),
        views.note(reviews.some(({ verified_buyer }) => verified_buyer)),
      ),
      data && new Html(`<script type="application/ld+json">${toScriptJson(data)}</script>`),
    ];
  });

/** A product's answered questions. Throws `not_found` for an unknown client. */
export const showQuestionList = (clientId: string, query: FragmentQuery, headers: Headers): Promise<Reply<undefined>> =>
  renderFragment(clientId, query.lang, headers, async (views) => {
    const { questions } = await loadQuestions(clientId, query, query.limit);
    return [
      views.section(
        views.t("questions"),
        questions.length === 0 && html("p", { class: "meta" }, views.t("noQuestions")),
        html("ol", { class: "list" }, questions.map(views.question)),
      ),
    ];
  });

/** The store's stars on one line; empty without seller reviews. Throws `not_found` for an unknown client. */
export const showSellerLine = (
  clientId: string,
  lang: string | undefined,
  headers: Headers,
): Promise<Reply<undefined>> =>
  renderFragment(clientId, lang, headers, async (views) => {
    const seller = await loadSeller(clientId);
    if (seller.review_count === 0) return [];
    return [html("div", { class: "candor line" }, html("span", { class: "badge" }, views.sellerLine(seller)))];
  });

/** A product's structured data for search engines; 204 without reviews. Throws `not_found` for an unknown client. */
export async function showStructuredData(
  clientId: string,
  query: StructuredDataQuery,
  headers: Headers,
): Promise<Reply<StructuredData>> {
  await clientOf(clientId);
  const data = await dataOf(clientId, query);
  if (!data) return new Reply<StructuredData>(undefined, { status: 204, headers: { "Cache-Control": CACHE_CONTROL } });
  return conditionalReply(toScriptJson(data), headers);
}

async function dataOf(clientId: string, target: Subject & { name?: string }) {
  if (isTestStore(await clientOf(clientId))) return null; // for search engines
  const summary = await loadSummary(clientId, target);
  if (summary.your_review_count === 0) return null;
  const [product, { reviews }] = await Promise.all([
    // For a product that isn't in the catalog, don't use another one of its family.
    findSubject(
      { id: clientId },
      { productId: target.key || null, familyId: target.key ? null : target.url_key || null },
    ),
    loadReviews(clientId, target, MAX_REVIEWS),
  ]);
  const named = { id: target.key || target.url_key || "", name: target.name ?? reviews[0]?.product ?? null };
  return structuredData(product, named, summary, reviews);
}

async function renderFragment(
  clientId: string,
  lang: string | undefined,
  headers: Headers,
  make: (views: Views<Html>) => Promise<(Html | null)[]>,
): Promise<Reply<undefined>> {
  const client = await clientOf(clientId);
  const parts = await make(viewsOf(html, settingsOf(client, languageOf(lang, client.locale))));
  const styles = html("link", {
    rel: "stylesheet",
    href: `${env().PUBLIC_URL}/onpage/${encodeURIComponent(client.id)}/head.css?v=${version}`,
  });
  const mark = brandOf(client).mark;
  const marked = mark === null ? [] : [html("div", { class: "candor line" }, html("strong", null, mark))];
  const policy = { "Content-Security-Policy": fragmentPolicy() };
  return conditionalReply([styles, ...marked, ...parts].map((part) => part?.text ?? "").join("\n"), headers, policy);
}

/**
 * A fragment opened directly, from our origin, shows untrusted texts: it must not run scripts or reach anything of
 * ours.
 */
const fragmentPolicy = (): string =>
  [
    "default-src 'none'",
    `style-src ${env().PUBLIC_URL} 'unsafe-inline'`,
    `img-src ${env().PUBLIC_URL} https: data:`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "sandbox allow-popups allow-top-navigation-by-user-activation",
  ].join("; ");

function conditionalReply<T>(text: string, requestHeaders: Headers, more: Record<string, string> = {}): Reply<T> {
  const bytes = new TextEncoder().encode(text);
  const headers = { ETag: etagOf(bytes), "Cache-Control": CACHE_CONTROL, ...more };
  if (matchesEtag(requestHeaders.get("if-none-match"), headers.ETag))
    return new Reply<T>(undefined, { status: 304, headers });
  return new Reply<T>(new RawJson(bytes), { headers });
}
