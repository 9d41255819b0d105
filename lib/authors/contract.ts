import { z } from "zod";
import { AuthorAction } from "@/lib/authors/schema";
import { endpoint } from "@/lib/platform/http/contract";
import { text } from "@/lib/platform/http/fields";
import { linkPageDescription, mailLinkOptions } from "@/lib/platform/http/mail-link";

/** The page's language, instead of the texts' or the reader's. */
const lang = text(35).optional();

const request = {
  path: "/me",
  tag: "Emails",
  auth: "public",
  cors: false,
  produces: "text/html; charset=utf-8",
} as const;

export const requestPageContract = endpoint({
  ...request,
  id: "author_page.request_page",
  method: "GET",
  summary: "The page on which authors request a link to their own page",
  query: z.object({ client_id: text(255).optional(), lang }),
});

export const requestLinkContract = endpoint({
  ...request,
  id: "author_page.request",
  method: "POST",
  summary: "Email an author a link to their own page",
  description: "The response is the same whether or not the store has something with this address.",
  accepts: "form",
  query: z.object({ lang }),
  body: z.object({ client_id: text(255), email: text(320) }),
  maxBody: 16 * 1024,
  limit: "submission",
});

const page = mailLinkOptions("/me/{token}");

const pageQuery = z.object({
  lang,
  after: text(40)
    .optional()
    .meta({ description: "Where the page begins: the position in the link to older texts. Default: the newest." }),
});

export const authorPageContract = endpoint({
  ...page,
  id: "author_page.page",
  method: "GET",
  summary: "An author's own page: what they submitted to a store, with its status",
  description: linkPageDescription,
  query: pageQuery,
});

export const authorActionContract = endpoint({
  ...page,
  id: "author_page.act",
  method: "POST",
  summary: "Do what a button on an author's own page says",
  accepts: "form",
  query: pageQuery,
  body: AuthorAction,
  maxBody: 64 * 1024,
  limit: "submission",
});

export const authorDataContract = endpoint({
  ...mailLinkOptions("/me/{token}/data"),
  id: "author_page.data",
  method: "POST",
  summary: "Download everything that the store has about an author",
  description:
    "The same file as admins create in the portal, without the team's notes. The store's log of requests records it.",
  alsoProduces: ["application/json; charset=utf-8"],
  query: z.object({ lang }),
  limit: "submission",
});
