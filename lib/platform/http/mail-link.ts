import { z } from "zod";
import { text } from "@/lib/platform/http/fields";

/** Contract options shared by all links in emails: the token authorizes, and the response is a page. */
export const mailLinkOptions = <Path extends string>(path: Path) =>
  ({
    path,
    tag: "Emails",
    auth: "public",
    params: z.object({ token: text(1_000) }),
    cors: false,
    produces: "text/html; charset=utf-8",
  }) as const;

/** Description of the page that such a link opens. */
export const linkPageDescription =
  "Changes nothing, since email scanners open links too. The button on the page posts to the same URL.";
