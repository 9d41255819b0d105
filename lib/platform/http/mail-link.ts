import { z } from "zod";
import { text } from "@/lib/platform/http/fields";

/** What all addresses of links in mails have in common: whoever holds the token may, and the answer is a page. */
export const mailLinkOptions = <Path extends string>(path: Path) =>
  ({
    path,
    tag: "Mail",
    auth: "public",
    params: z.object({ token: text(1_000) }),
    cors: false,
    produces: "text/html; charset=utf-8",
  }) as const;

/** Describes the page that such a link opens. */
export const linkPageDescription =
  "Changes nothing, since email scanners open links too. The button on the page posts to the same address.";
