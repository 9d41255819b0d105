import { storeNow } from "@/lib/accounts/stores/get-client";
import { authorPageReply, button, form, notice } from "@/lib/authors/parts";
import { unknownPage } from "@/lib/authors/request-page";
import { languageLinks, note, paragraph, section, shopName } from "@/lib/display/honesty/parts";
import { type Writer, writerFor } from "@/lib/display/honesty/texts";
import { type Html, html } from "@/lib/display/widget/html";
import { editLink } from "@/lib/forms/edit/links";
import { photoReasonText } from "@/lib/moderation/rejections/reason-text";
import { reasonLines, statementLines } from "@/lib/moderation/rejections/statement";
import { env } from "@/lib/platform/env";
import { honestyPageUrl, receiptToken, receiptUrl } from "@/lib/platform/http/honesty-page";
import type { Reply } from "@/lib/platform/http/reply";
import { formatDay } from "@/lib/platform/i18n/format";
import type { Language } from "@/lib/platform/i18n/languages";
import type { ImageObject } from "@/lib/reviews/contributions/schema";
import { MAX_APPEAL_LENGTH } from "@/lib/reviews/decisions/appeal-values";
import { imageObjects } from "@/lib/reviews/uploads/image-objects";
import type { AuthorPage, OpenAuthorPage } from "./open-author-page";
import type { AuthorItem } from "./sql";

/**
 * What a click on the page did. `changed`: nothing, since the text was changed or decided meanwhile. `shared`: nothing,
 * since data of others is found by the address too.
 */
export type Outcome =
  | "link"
  | "withdrawn"
  | "appealed"
  | "too_long"
  | "changed"
  | "stopped"
  | "resumed"
  | "unconfirmed"
  | "shared"
  | "erased"
  | "erasing";

/** An author's page in their language, after what a click did; null if it was only opened. */
export function authorPage(page: AuthorPage, outcome: Outcome | null): Reply<undefined> {
  if (page.state === "unknown") return unknownPage(page.client, page.language);
  const writer = writerFor(page.client, page.language);
  return page.state === "expired" ? expiredPage(page, writer, outcome) : openPage(page, writer, outcome);
}

const addressOf = ({ token }: { token: string }) => `${env().PUBLIC_URL}/me/${token}`;

type Place = { token: string; language: Language; after?: string | null };

/** The page at the same place, in a language. Absolute, since the page is also the answer to a download. */
const placeOf = (page: Place, { language, after }: Omit<Place, "token"> = page) =>
  `${addressOf(page)}?lang=${language}${after ? `&after=${after}` : ""}`;

function expiredPage(
  page: Extract<AuthorPage, { state: "expired" }>,
  { t, shop }: Writer,
  outcome: Outcome | null,
): Reply<undefined> {
  const heading = t(outcome === "link" ? "authorPage.sentHeading" : "linkPage.expiredHeading");
  const body = html(
    "main",
    null,
    shopName(page.client),
    html("h1", null, heading),
    outcome === "link"
      ? section("sent", t("authorPage.requestHeading", { shop }), paragraph(t("authorPage.sent", { shop })))
      : section(
          "expired",
          t("authorPage.requestHeading", { shop }),
          paragraph(t("authorPage.expired")),
          form(placeOf(page), { do: "link" }, button(t("authorPage.renew"))),
        ),
  );
  return authorPageReply(page.client, page.language, heading, body, outcome === "link" ? 200 : 410);
}

/** What the page says about a click. */
function outcomeNotice({ t, shop }: Writer, outcome: Outcome): Html | null {
  switch (outcome) {
    case "withdrawn":
      return notice(t("authorPage.withdrawn"));
    case "appealed":
      return notice(t("authorPage.appealed", { shop }));
    case "too_long":
      return notice(t("authorPage.tooLong", { max: MAX_APPEAL_LENGTH }), false);
    case "stopped":
      return notice(t("unsubscribe.done", { shop }));
    case "resumed":
      return notice(t("unsubscribe.resumed", { shop }));
    case "changed":
      return notice(t("authorPage.changed"), false);
    case "unconfirmed":
      return notice(t("authorPage.unconfirmed"), false);
    case "shared":
      return notice(t("authorPage.dataShared", { shop }), false);
    default:
      return null;
  }
}

function openPage(page: OpenAuthorPage, writer: Writer, outcome: Outcome | null): Reply<undefined> {
  const { client, language, items, after, next } = page;
  const { t, shop } = writer;
  if (outcome === "erased" || outcome === "erasing") {
    const heading = t("authorPage.dataHeading");
    const text = t(outcome === "erased" ? "authorPage.erased" : "authorPage.erasing", { shop });
    return authorPageReply(
      client,
      language,
      heading,
      html("main", null, shopName(client), html("h1", null, heading), notice(text)),
    );
  }
  const heading = t("authorPage.title", { shop });
  const body = html(
    "main",
    null,
    shopName(client),
    html("h1", null, heading),
    outcome && outcomeNotice(writer, outcome),
    html("p", { class: "lead" }, t(items.length > 0 || after ? "authorPage.intro" : "authorPage.none", { shop })),
    items.map((item) => itemSection(page, writer, item)),
    (after || next) &&
      html(
        "nav",
        { class: "pages", "aria-label": heading },
        after && html("a", { href: placeOf(page, { language }) }, t("authorPage.newest")),
        next && html("a", { href: placeOf(page, { language, after: next }) }, t("authorPage.older")),
      ),
    emailSection(page, writer),
    dataSection(page, writer),
    languageLinks(language, (other) => placeOf(page, { language: other, after })),
  );
  return authorPageReply(client, language, heading, body);
}

const statusOf = ({ kind, accepted, unconfirmed, replies }: AuthorItem) => {
  if (accepted === false) return "receipt.statusRejected";
  if (accepted === null) return unconfirmed ? "receipt.statusUnconfirmed" : "receipt.statusPending";
  return kind === "question" && replies.length === 0 ? "authorPage.statusUnanswered" : "receipt.statusPublished";
};

/** What an item is called: its product, or the store. */
function labelOf({ kind, product }: AuthorItem, { t, shop }: Writer): string {
  if (kind === "seller_review") return t("authorPage.sellerReview", { shop });
  if (kind === "review") return product ? t("verification.reviewOf", { product }) : t("verification.review");
  return product ? t("verification.questionAbout", { product }) : t("verification.question");
}

function emailSection(page: OpenAuthorPage, { t, shop }: Writer): Html {
  const { stopped, complained } = page;
  const action = placeOf(page);
  if (complained) return section("emails", t("authorPage.emailsHeading"), paragraph(t("unsubscribe.done", { shop })));
  return stopped
    ? section(
        "emails",
        t("authorPage.emailsHeading"),
        paragraph(t("unsubscribe.done", { shop })),
        form(action, { do: "resume" }, button(t("unsubscribe.undo"), "quiet")),
      )
    : section(
        "emails",
        t("authorPage.emailsHeading"),
        html(
          "details",
          null,
          html("summary", null, t("unsubscribe.heading", { shop })),
          form(action, { do: "stop" }, paragraph(t("unsubscribe.text", { shop })), button(t("unsubscribe.button"))),
        ),
      );
}

function dataSection(page: OpenAuthorPage, { t, shop }: Writer): Html {
  const { language } = page;
  const heading = t("authorPage.dataHeading");
  if (!page.isAlone) return section("data", heading, paragraph(t("authorPage.dataShared", { shop })));
  return section(
    "data",
    heading,
    paragraph(t("authorPage.data", { shop })),
    form(`${addressOf(page)}/data?lang=${language}`, {}, button(t("authorPage.download"), "quiet")),
    html(
      "details",
      null,
      html("summary", null, t("authorPage.erase")),
      form(
        placeOf(page),
        { do: "erase" },
        paragraph(t("authorPage.eraseText", { shop })),
        html(
          "label",
          { class: "check" },
          html("input", { type: "checkbox", name: "confirmed", value: "1", required: true }),
          t("authorPage.eraseConfirm"),
        ),
        button(t("authorPage.erase"), "danger"),
      ),
    ),
  );
}

function itemSection(page: OpenAuthorPage, writer: Writer, item: AuthorItem): Html {
  const { client, language } = page;
  const { t, shop, day } = writer;
  const { kind, id, score, lang, headline, words, accepted, reject_reason, salt, replies } = item;
  const quoted = (text: string | null, attributes: Record<string, string>) =>
    text ? html("p", { ...attributes, lang }, text) : null;
  return section(
    `${kind}-${id}`,
    labelOf(item, writer),
    html("p", { class: "status" }, t(statusOf(item), { shop })),
    accepted === false &&
      html(
        "div",
        { class: "box" },
        reasonLines(client, language, reject_reason ?? "unspecified").map(paragraph),
        html(
          "details",
          null,
          html("summary", null, t("authorPage.statement")),
          html(
            "div",
            { class: "statement" },
            statementLines(client, language, { ...item, canAppeal: !item.has_appealed }).map(paragraph),
          ),
        ),
      ),
    html(
      "div",
      { class: "quote" },
      score === null
        ? null
        : html(
            "p",
            { class: "stars", role: "img", "aria-label": `${score} / 5` },
            "★".repeat(score) + "☆".repeat(5 - score),
          ),
      quoted(headline, { class: "words headline" }),
      quoted(words, { class: "words" }),
      photoList(writer, item),
      note(t("authorPage.submitted", { day: day(item.created_at.toISOString()) })),
    ),
    ...replies.map((reply) =>
      html(
        "div",
        { class: "quote" },
        html("p", null, html("strong", null, reply.author), ` · ${formatDay(reply.day, language)}`),
        html("p", { class: "words", lang: reply.lang }, reply.text),
      ),
    ),
    html(
      "ul",
      { class: "links" },
      html(
        "li",
        null,
        html("a", { href: editLink(client.id, kind, id, item.author_email, storeNow(client)) }, t("authorPage.edit")),
      ),
      salt === null
        ? null
        : html(
            "li",
            null,
            html("a", { href: receiptUrl(client.id, receiptToken(kind, id, salt), language) }, t("receipt.link")),
          ),
      kind === "question"
        ? null
        : html("li", null, html("a", { href: honestyPageUrl(client.id, language) }, t("honesty.link"))),
    ),
    item.appeal &&
      html(
        "div",
        { class: "box" },
        paragraph(t(item.appeal.is_open ? "authorPage.appealOpen" : "authorPage.appealOver", { shop })),
        item.appeal.text !== "" && html("p", { class: "words quote" }, item.appeal.text),
      ),
    accepted === false && !item.has_appealed && appealForm(placeOf(page), writer, item),
    html(
      "details",
      null,
      html("summary", null, t("authorPage.withdraw", { kind })),
      form(
        placeOf(page),
        { do: "withdraw", item: `${kind}.${id}` },
        paragraph(t("authorPage.withdrawText")),
        button(t("authorPage.withdrawButton"), "danger"),
      ),
    ),
  );
}

/** The author's photos. Those of a rejected text aren't served to anyone. */
function photoList({ t, shop, language }: Writer, { accepted, images, hidden }: AuthorItem): Html | null {
  if (accepted === false || images.length + hidden.length === 0) return null;
  const photo = (image: ImageObject, index: number, reason: string | null = null) =>
    html(
      "li",
      null,
      html(
        "a",
        { href: image.large },
        html("img", {
          src: image.medium,
          alt: t("authorPage.photo", { n: index + 1, all: images.length + hidden.length }),
          width: image.medium_width,
          height: image.medium_height,
          loading: "lazy",
          class: reason === null ? null : "hidden",
        }),
      ),
      reason !== null && note(`${t("authorPage.photoHidden", { shop })} ${photoReasonText(language, reason)}`),
    );
  return html(
    "ul",
    { class: "photos" },
    imageObjects(images, { signed: true }).map((image, index) => photo(image, index)),
    imageObjects(hidden, { signed: true }).map((image, index) =>
      photo(image, images.length + index, hidden[index]?.reason ?? "unspecified"),
    ),
  );
}

function appealForm(action: string, { t, shop }: Writer, { kind, id }: AuthorItem): Html {
  const field = `appeal-${kind}-${id}`;
  return html(
    "details",
    null,
    html("summary", null, t("authorPage.appeal")),
    form(
      action,
      { do: "appeal", item: `${kind}.${id}` },
      paragraph(t("authorPage.appealText", { shop })),
      html("label", { for: field }, t("authorPage.appealLabel")),
      html("textarea", { id: field, name: "text", maxlength: MAX_APPEAL_LENGTH }),
      button(t("authorPage.appealButton")),
    ),
  );
}
