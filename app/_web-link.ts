import { param, type Search } from "@/app/_guard";
import type { WebFormLink } from "@/lib/web-form/open-web-form";

/** What the address of a web form says it is about. */
export const webLinkOf = (search: Search): WebFormLink => ({
  client_id: param(search, "client_id"),
  key: param(search, "key"),
  url_key: param(search, "url_key"),
  name: param(search, "name"),
  lang: param(search, "lang"),
});
