import { type ClientRow, incentiveOf } from "@/lib/accounts/stores/get-client";
import { sumOf, type Writer, writerFor } from "@/lib/display/honesty/texts";
import { html } from "@/lib/display/widget/html";
import type { Figures } from "@/lib/honesty/figures";
import type { StoredFigures } from "@/lib/honesty/figures-sql";
import { honestyPageUrl } from "@/lib/platform/http/honesty-page";
import type { Language } from "@/lib/platform/i18n/languages";

/**
 * What article 7 (6) of directive 2005/29/EC requires of stores that show reviews: whether and how it's ensured that they are
 * from consumers who bought or used the product, and whether they were offered something for it. Says only what settings and figures tell.
 */
export function statementTexts({ t, shop }: Writer, client: ClientRow, { reviews, settings }: Figures): string[] {
  const { received, published, verified_buyer, imported, incentivized, rejected, removed, deleted } = reviews;
  const incentive = incentiveOf(client);
  const isConfirmed = settings.at(-1)?.settings.require_verification === true;
  const texts = [
    t("honesty.statementVerified"),
    published.total > 0 && t("honesty.statementBuyers", { buyers: verified_buyer.total, published: published.total }),
    t(isConfirmed ? "honesty.statementConfirm" : "honesty.statementOpen", { shop }),
    t("honesty.statementChecked"),
    received.total > 0 &&
      t("honesty.statementNumbers", {
        published: published.total,
        rejected: sumOf(rejected, removed, deleted).total,
      }),
    imported.total > 0 && t("honesty.statementImported", { imported: imported.total }),
    incentive === null ? t("honesty.incentiveNo") : t("honesty.statementIncentive", { incentive }),
    (incentive !== null || incentivized.total > 0) &&
      published.total > 0 &&
      t("honesty.statementIncentivized", { incentivized: incentivized.total, published: published.total }),
  ];
  return texts.filter((text) => text !== false);
}

/** The statement as HTML for the store's own pages, with a link to the public page. */
export function statementFragment(client: ClientRow, { figures }: StoredFigures, language: Language): string {
  const writer = writerFor(client, language);
  const { t, shop } = writer;
  return html(
    "section",
    { class: "candor-statement", lang: language },
    html("h2", null, t("honesty.statementHeading", { shop })),
    statementTexts(writer, client, figures).map((text) => html("p", null, text)),
    html("p", null, html("a", { href: honestyPageUrl(client.id, language) }, t("honesty.statementMore"))),
  ).text;
}
