import { authorActor } from "@/lib/authors/actor";
import type { Outcome } from "@/lib/authors/author-page";
import { type AuthorPage, openAuthorPage, type Reader } from "@/lib/authors/open-author-page";
import { startMail } from "@/lib/authors/request-author-link";
import type { AuthorAction } from "@/lib/authors/schema";
import { resumeInvitations, stopInvitations } from "@/lib/invitations/opt-out";
import { erasePersonalData } from "@/lib/privacy/erase-personal-data";
import { withdrawContribution } from "@/lib/reviews/contributions/withdraw-contribution";
import { MAX_APPEAL_LENGTH } from "@/lib/reviews/decisions/appeal-values";
import { appealRejection } from "@/lib/reviews/decisions/appeals";

/**
 * Does what a button says. Returns the page afterwards, and what was done; null if the button has no effect, as on an
 * expired link or after a double click.
 */
export async function actOnAuthorPage(
  token: string,
  action: AuthorAction,
  reader: Reader,
): Promise<{ page: AuthorPage; outcome: Outcome | null }> {
  const page = await openAuthorPage(token, reader);
  if (page.state === "expired" && action.do === "link") {
    startMail(page.client.id, page.email);
    return { page, outcome: "link" };
  }
  if (page.state !== "open") return { page, outcome: null };
  const { client, email, holder } = page;
  const after = async (outcome: Outcome | null) => ({ page: await openAuthorPage(token, reader), outcome });
  switch (action.do) {
    case "link":
      return { page, outcome: null };
    case "withdraw": {
      const item = page.items.find(({ kind, id }) => `${kind}.${id}` === action.item);
      const isDone = item && (await withdrawContribution(client, item.kind, item.id, email));
      return after(isDone ? "withdrawn" : "changed");
    }
    case "appeal": {
      const text = (action.text ?? "").replace(/\r\n/g, "\n").trim();
      if ([...text].length > MAX_APPEAL_LENGTH) return { page, outcome: "too_long" };
      const item = page.items.find(({ kind, id }) => `${kind}.${id}` === action.item);
      const isDone = item && (await appealRejection(client, item.kind, item.id, email, text));
      return after(isDone ? "appealed" : "changed");
    }
    case "stop":
      await stopInvitations({ client, emailHash: holder });
      return after("stopped");
    case "resume":
      await resumeInvitations({ client, emailHash: holder });
      return after("resumed");
    case "erase": {
      if (!page.isAlone) return { page, outcome: "shared" };
      if (!action.confirmed) return { page, outcome: "unconfirmed" };
      const state = await erasePersonalData(authorActor(client.id), client, { by: "email", email });
      return { page, outcome: state === "deleted" ? "erased" : "erasing" };
    }
  }
}
