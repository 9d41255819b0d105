import { getClient } from "@/lib/accounts/stores/get-client";
import { brandOf } from "@/lib/forms/brand";
import { itemLines, type PlainPage, plainPage } from "@/lib/forms/plain-page";
import { pool } from "@/lib/platform/db/pool";
import { Reply } from "@/lib/platform/http/reply";
import { acceptedLanguages, languageOf } from "@/lib/platform/i18n/languages";
import { publicText } from "@/lib/platform/i18n/public-texts";
import type { FeedbackTarget } from "@/lib/reviews/votes/cast-vote";
import type { FeedbackForm, FeedbackQuery, FeedbackType } from "@/lib/reviews/votes/schema";
import { selectVotedReview } from "./sql";

type Form = NonNullable<PlainPage["form"]>;

const texts = {
  up: ["vote.upHeading", "vote.up"],
  down: ["vote.downHeading", "vote.down"],
  bad: ["vote.badHeading", "vote.bad"],
  reset: ["vote.resetHeading", "vote.reset"],
} as const satisfies Record<FeedbackType, [heading: string, button: string]>;

/** What the page shows: the fields of a link before voting, or that they were saved. */
export type VoteView = FeedbackQuery | "done";

/** The page behind a link to vote. `review` is null if the link matches no displayed review. */
export async function votePage(
  review: FeedbackTarget | null,
  view: VoteView,
  acceptLanguage: string | null,
): Promise<Reply<undefined>> {
  const client = review && (await getClient(review.client_id));
  const language = languageOf(...acceptedLanguages(acceptLanguage), client?.locale);
  const t = publicText(language);
  const shop = client && brandOf(client);
  const page = (content: Pick<PlainPage, "heading" | "text" | "form">, status?: number) =>
    withSameOrigin(plainPage({ language, shop, ...content }, status));
  const unknown = () => page({ heading: t("linkPage.unknownHeading"), text: t("linkPage.unknownFromStore") }, 404);
  if (!client) return unknown();
  if (view === "done") return page({ heading: t("form.thanksHeading"), text: t("vote.done") });
  const shown = await selectVotedReview(pool(), review);
  if (!shown) return unknown();
  const { type, voter_id } = view;
  const { product, score, lang, headline, words } = shown;
  const text = t("vote.text", { shop: client.display_name });
  const label = product ? t("verification.reviewOf", { product }) : t("verification.review");
  const items = [{ label, stars: score, lines: itemLines(headline, words), lang }];
  // Without the link's comment: the visitor neither wrote it nor sees it.
  const formOf = (buttons: Pick<Form, "button" | "choices">, fields: Partial<FeedbackForm>): Form => ({
    action: "?",
    ...buttons,
    items,
    hidden: Object.entries(fields).flatMap(([name, value]) => (value ? [{ name, value }] : [])),
  });
  if (!type || (type === "reset" && !voter_id)) {
    const choices = (["up", "down"] as const).map((value) => ({ name: "type", value, label: t(texts[value][1]) }));
    return page({ heading: t("vote.chooseHeading"), text, form: formOf({ choices }, { voter_id }) });
  }
  const [heading, button] = texts[type];
  return page({
    heading: t(heading),
    text,
    form: {
      ...formOf({ button: t(button) }, { type, voter_id }),
      ...(type === "bad" && {
        email: { label: t("vote.email"), note: t("vote.emailNote", { shop: client.display_name }) },
      }),
    },
  });
}

/** Never cached, and its form's request has an `Origin`, by which the page is recognized as ours. */
const withSameOrigin = ({ body, options }: Reply<undefined>): Reply<undefined> =>
  new Reply<undefined>(body, {
    ...options,
    headers: {
      ...options.headers,
      "Content-Type": "text/html; charset=utf-8",
      "Referrer-Policy": "same-origin",
      "Cache-Control": "no-store",
    },
  });
