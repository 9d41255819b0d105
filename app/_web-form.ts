import type { Metadata } from "next";
import { headers } from "next/headers";
import { cache } from "react";
import { param, type Search } from "@/app/_guard";
import { unknownLinkMetadata } from "@/app/_unknown-link";
import { demoAllowedFor } from "@/lib/accounts/sign-in/demo";
import { getClient } from "@/lib/accounts/stores/get-client";
import { openWebForm, subjectName, type WebForm, type WebFormLink } from "@/lib/forms/web-form/open-web-form";
import { type PublicText, publicText } from "@/lib/platform/i18n/public-texts";

// What the pages of the forms that shops link to have in common.

/** What the address of a web form says it is about. */
export const parseWebFormLink = (search: Search): WebFormLink => ({
  client_id: param(search, "client_id"),
  key: param(search, "key"),
  url_key: param(search, "url_key"),
  name: param(search, "name"),
  lang: param(search, "lang"),
});

/** Whether the link is to the demo's form, for somebody who may not use the demo: as with its public key. */
export async function isDemoBlocked({ client_id }: WebFormLink): Promise<boolean> {
  const client = typeof client_id === "string" ? await getClient(client_id) : null;
  return client?.demo === true && !demoAllowedFor(await headers());
}

type LoadedWebForm = { link: WebFormLink; form: Exclude<WebForm, { state: "unknown" }> };

/** By the text of a link, since a request is known by its arguments: the head of a page and the page itself ask once. */
const loadWebForm = cache(async (text: string): Promise<LoadedWebForm | null> => {
  const link = JSON.parse(text) as WebFormLink;
  const form = await openWebForm(link);
  return form.state === "unknown" || (await isDemoBlocked(link)) ? null : { link, form };
});

/** The form that an address leads to; null where there is none. */
export const getWebForm = (search: Search): Promise<LoadedWebForm | null> =>
  loadWebForm(JSON.stringify(parseWebFormLink(search)));

/** Title and settings of such a page; `titleOf` says what it is called. */
export async function webFormMetadata(search: Search, titleOf: (t: PublicText) => string): Promise<Metadata> {
  const loaded = await getWebForm(search);
  if (!loaded) return unknownLinkMetadata();
  const { form } = loaded;
  const pageTitle = titleOf(publicText(form.language));
  const title = form.state === "open" ? `${pageTitle}: ${subjectName(form.subject)}` : pageTitle;
  // Its address carries whatever somebody wrote into it.
  return { title: { absolute: `${title} – ${form.client.display_name}` }, robots: { index: false } };
}
