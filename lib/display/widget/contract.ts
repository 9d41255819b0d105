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
  v: text(64)
    .optional()
    .meta({ description: "Version of the file. Responses to calls with a version can be cached forever." }),
});

export const widgetScriptContract = endpoint({
  ...shared,
  ...conditional,
  id: "widget.script",
  path: "/onpage/{client_id}/head.js",
  summary: "Load the widget, a script that shows reviews in a store's pages",
  description:
    "Loaded by a script element with `async`. Pages control it with `candor.push([command, …])` and attributes. It sets no cookie, calls no other server, and adds its styles in a way that every `style-src` allows.",
  query: ScriptQuery,
  produces: "text/javascript; charset=utf-8",
  example: { params: { client_id: "shop.example.com" }, query: "lang=sv" },
});

const scriptAlias = {
  ...shared,
  ...conditional,
  query: ScriptQuery,
  produces: "text/javascript; charset=utf-8",
  example: { params: { client_id: "shop.example.com" } },
};
const aliasDescription = "The same script as `/onpage/{client_id}/head.js`, for pages made for a hosted service.";

export const productScriptContract = endpoint({
  ...scriptAlias,
  id: "widget.script_prd",
  path: "/onpage/{client_id}/prd.js",
  summary: "Load the widget as prd.js",
  description: aliasDescription,
});

export const asyncScriptContract = endpoint({
  ...scriptAlias,
  id: "widget.script_async",
  path: "/onpage/{client_id}/async.js",
  summary: "Load the widget as async.js",
  description: aliasDescription,
});

export const badgeScriptContract = endpoint({
  ...scriptAlias,
  id: "widget.script_badge",
  path: "/badge/{client_id}/head.js",
  summary: "Load the widget by its path under /badge",
  description: aliasDescription,
});

/** The widget at each of its addresses. */
export const scriptContracts = [widgetScriptContract, productScriptContract, asyncScriptContract, badgeScriptContract];

export const widgetCompatPartContract = endpoint({
  ...shared,
  ...conditional,
  id: "widget.compat_part",
  path: "/onpage/{client_id}/compat.js",
  summary: "Load the widget's compatibility with a hosted service",
  description: "The widget loads this script in pages with markup or calls of a hosted service.",
  query: versioned,
  produces: "text/javascript; charset=utf-8",
  example: { params: { client_id: "shop.example.com" } },
});

export const widgetFormPartContract = endpoint({
  ...shared,
  ...conditional,
  id: "widget.form_part",
  path: "/onpage/{client_id}/form.js",
  summary: "Load the widget's forms",
  description: "The widget loads this script when a visitor opens a form.",
  query: versioned,
  produces: "text/javascript; charset=utf-8",
  example: { params: { client_id: "shop.example.com" } },
});

export const widgetStylesContract = endpoint({
  ...shared,
  ...conditional,
  id: "widget.styles",
  path: "/onpage/{client_id}/head.css",
  summary: "Load the styles of the widget's HTML",
  description:
    "The HTML fragments link to these styles. They contain the store's colors, so they are not cached forever.",
  query: z.object({
    v: text(64).optional().meta({ description: "Version of the fragments that link to the styles." }),
  }),
  produces: "text/css; charset=utf-8",
  example: { params: { client_id: "shop.example.com" } },
});

export const widgetFormContract = endpoint({
  ...shared,
  id: "widget.form",
  path: "/onpage/{client_id}/form.json",
  summary: "Retrieve what the widget's forms ask about a product",
  description: "Includes the public key for submissions and the texts of the forms.",
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
      words: { send: "Submit review" },
      question_words: { mail_answer: "Email me when it’s answered" },
    },
  },
});

export const structuredDataContract = endpoint({
  ...shared,
  id: "widget.structured_data",
  path: "/onpage/{client_id}/product.jsonld",
  summary: "Retrieve a product's rating and reviews as structured data",
  description: "schema.org Product with AggregateRating and up to ten reviews; 204 if there are none.",
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
  summary: "Render a product's stars as HTML",
});

export const questionsFragmentContract = endpoint({
  ...page,
  id: "widget.questions_html",
  path: "/onpage/{client_id}/questions.html",
  summary: "Render a product's questions and answers as HTML",
});

export const sellerFragmentContract = endpoint({
  ...page,
  id: "widget.seller_html",
  path: "/onpage/{client_id}/seller.html",
  summary: "Render the store's rating as HTML",
  query: ScriptQuery,
});

export const reviewsFragmentContract = endpoint({
  ...page,
  id: "widget.reviews_html",
  path: "/onpage/{client_id}/reviews.html",
  summary: "Render a product's reviews as HTML, with structured data",
});
