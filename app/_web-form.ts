import type { Metadata } from "next";
import { headers } from "next/headers";
import { cache } from "react";
import { param, type Search } from "@/app/_guard";
import { unknownLinkMetadata } from "@/app/_unknown-link";
import { demoAllowedFor } from "@/lib/accounts/sign-in/demo";
import { getClient } from "@/lib/accounts/stores/get-client";
import { frameOf } from "@/lib/forms/web-form/frame";
import { openWebForm, subjectName, type WebForm, type WebFormLink } from "@/lib/forms/web-form/open-web-form";
import { allowFraming } from "@/lib/platform/http/page-response";
import { type PublicText, publicText } from "@/lib/platform/i18n/public-texts";

// Shared by the pages of the forms that stores link to.

/** Reads the subject of a web form from its address. */
export const parseWebFormLink = (search: Search): WebFormLink => ({
  client_id: param(search, "client_id"),
  key: param(search, "key"),
  url_key: param(search, "url_key"),
  name: param(search, "name"),
  lang: param(search, "lang"),
  noheader: param(search, "noheader"),
  messageid: param(search, "messageid"),
  url: param(search, "url"),
});

/**
 * Whether the link is to the demo store's form and the visitor may not use the demo. Same rule as for its public key.
 */
export async function isDemoBlocked({ client_id }: WebFormLink): Promise<boolean> {
  const client = typeof client_id === "string" ? await getClient(client_id) : null;
  return client?.demo === true && !demoAllowedFor(await headers());
}

type LoadedWebForm = { link: WebFormLink; form: Exclude<WebForm, { state: "unknown" }> };

/**
 * Keyed by the link's text, so that the page and its metadata load the form once per request (React's cache compares
 * arguments).
 */
const loadWebForm = cache(async (text: string): Promise<LoadedWebForm | null> => {
  const link = JSON.parse(text) as WebFormLink;
  const form = await openWebForm(link);
  return form.state === "unknown" || (await isDemoBlocked(link)) ? null : { link, form };
});

/** The form that an address leads to; null if there is none. */
export const getWebForm = (search: Search): Promise<LoadedWebForm | null> =>
  loadWebForm(JSON.stringify(parseWebFormLink(search)));

/** Metadata of such a page, which the store's sites may frame. `titleOf` returns its title. */
export async function webFormMetadata(search: Search, titleOf: (t: PublicText) => string): Promise<Metadata> {
  const loaded = await getWebForm(search);
  if (!loaded) return unknownLinkMetadata();
  const { form, link } = loaded;
  allowFraming(frameOf(form.client, link).ancestors);
  const pageTitle = titleOf(publicText(form.language));
  const title = form.state === "open" ? `${pageTitle}: ${subjectName(form.subject)}` : pageTitle;
  // Not indexed: the address contains text from whoever made the link.
  return { title: { absolute: `${title} – ${form.client.display_name}` }, robots: { index: false } };
}
