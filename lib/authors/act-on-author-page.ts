import type { Outcome } from "@/lib/authors/author-page";
import { type AuthorPage, openAuthorPage, type Reader } from "@/lib/authors/open-author-page";
import { startMail } from "@/lib/authors/request-author-link";
import type { authorActions } from "./contract";

type Action = { do: (typeof authorActions)[number] };

/** Does what a button says. Returns the page afterwards, and what was done. Does nothing if the link isn't valid. */
export async function actOnAuthorPage(
  token: string,
  action: Action,
  reader: Reader,
): Promise<{ page: AuthorPage; outcome?: Outcome }> {
  const page = await openAuthorPage(token, reader);
  if (action.do === "link" && page.state === "expired") {
    startMail(page.client.id, page.email);
    return { page, outcome: "link" };
  }
  return { page };
}
