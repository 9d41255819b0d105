import { z } from "zod";
import {
  FormQuery,
  FragmentQuery,
  ScriptQuery,
  StructuredData,
  StructuredDataQuery,
  WidgetForm,
  WidgetParams,
} from "@/lib/display/widget/schema";
import { endpoint } from "@/lib/platform/http/contract";
import { text } from "@/lib/platform/http/fields";

const shared = { method: "GET", tag: "Display", auth: "public", params: WidgetParams } as const;
const conditional = { alternatives: { 304: undefined } };
const versioned = z.object({
  v: text(64).optional().meta({ description: "The version that is meant: then the answer may be kept for ever." }),
});

export const widgetScriptContract = endpoint({
  ...shared,
  ...conditional,
  id: "widget.script",
  path: "/onpage/{client_id}/head.js",
  summary: "The widget: a script that shows reviews in a shop's pages",
  description:
    "Loaded by a script element with `async`. Pages talk to it by `candor.push([command, …])` and by attributes. It sets no cookie, asks no other server, and adds styles in a way that no `style-src` forbids.",
  query: ScriptQuery,
  produces: "text/javascript; charset=utf-8",
  example: { params: { client_id: "shop.example.com" }, query: "lang=sv" },
});

export const widgetFormPartContract = endpoint({
  ...shared,
  ...conditional,
  id: "widget.form_part",
  path: "/onpage/{client_id}/form.js",
  summary: "The part of the widget that shows its forms",
  description: "The widget loads it when a visitor opens a form.",
  query: versioned,
  produces: "text/javascript; charset=utf-8",
  example: { params: { client_id: "shop.example.com" } },
});

export const widgetStylesContract = endpoint({
  ...shared,
  ...conditional,
  id: "widget.styles",
  path: "/onpage/{client_id}/head.css",
  summary: "The styles of the widget's HTML",
  description: "The pieces of HTML link to them. They hold the client's colours, so none is kept for ever.",
  query: z.object({ v: text(64).optional().meta({ description: "The version of the pieces that link to them." }) }),
  produces: "text/css; charset=utf-8",
  example: { params: { client_id: "shop.example.com" } },
});

export const widgetFormContract = endpoint({
  ...shared,
  id: "widget.form",
  path: "/onpage/{client_id}/form.json",
  summary: "What the widget's forms ask about a product",
  description: "With the public key that submissions carry, and the words of the forms.",
  query: FormQuery,
  response: WidgetForm,
  example: {
    params: { client_id: "shop.example.com" },
    query: "key=LAMP-OAK-S",
    answer: {
      api_key: "pk_0f3a…",
      product: { id: "LAMP-OAK-S", family_id: null, name: "Oak table lamp, small" },
      asks_points: true,
      asks_recommended: true,
      asks_questions: true,
      email_required: false,
      verifies: false,
      fewest_words: 0,
      terms: null,
      questions: [],
      words: { send: "Send" },
      question_words: { mail_answer: "Write to me when it is answered" },
    },
  },
});

export const structuredDataContract = endpoint({
  ...shared,
  id: "widget.structured_data",
  path: "/onpage/{client_id}/product.jsonld",
  summary: "A product's rating and reviews for search engines",
  description: "schema.org's Product with AggregateRating and up to ten reviews; 204 where there are none.",
  query: StructuredDataQuery,
  response: StructuredData,
  alternatives: { 204: undefined, 304: undefined },
  produces: "application/ld+json; charset=utf-8",
  example: {
    params: { client_id: "shop.example.com" },
    query: "key=LAMP-OAK-S",
    answer: {
      "@context": "https://schema.org",
      "@type": "Product",
      name: "Oak table lamp, small",
      sku: "LAMP-OAK-S",
      aggregateRating: { "@type": "AggregateRating", ratingValue: 4.33, reviewCount: 3, bestRating: 5, worstRating: 1 },
      review: [],
    },
  },
});

const page = { ...shared, ...conditional, query: FragmentQuery, produces: "text/html; charset=utf-8" };

export const badgeFragmentContract = endpoint({
  ...page,
  id: "widget.badge_html",
  path: "/onpage/{client_id}/badge.html",
  summary: "A product's stars as HTML for a shop's server to put into its page",
});

export const questionsFragmentContract = endpoint({
  ...page,
  id: "widget.questions_html",
  path: "/onpage/{client_id}/questions.html",
  summary: "A product's questions and answers as HTML for a shop's server to put into its page",
});

export const sellerFragmentContract = endpoint({
  ...page,
  id: "widget.seller_html",
  path: "/onpage/{client_id}/seller.html",
  summary: "How customers rate the shop, as HTML for its server to put into its pages",
  query: ScriptQuery,
});

export const reviewsFragmentContract = endpoint({
  ...page,
  id: "widget.reviews_html",
  path: "/onpage/{client_id}/reviews.html",
  summary: "A product's reviews as HTML for a shop's server to put into its page, with structured data",
});
