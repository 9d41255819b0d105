import { isTestStore } from "@/lib/accounts/stores/get-client";
import { code, languageLinks, note, pageAround, paragraph, section, shopName } from "@/lib/display/honesty/parts";
import { type Writer, writerFor } from "@/lib/display/honesty/texts";
import { type Html, html } from "@/lib/display/widget/html";
import type { Decider, Entry } from "@/lib/honesty/entry";
import type { Receipt } from "@/lib/honesty/receipts";
import { reasonText } from "@/lib/moderation/rejections/reason-text";
import { honestyPageUrl } from "@/lib/platform/http/honesty-page";
import type { Language } from "@/lib/platform/i18n/languages";

const statusTexts = {
  pending: "receipt.statusPending",
  unconfirmed: "receipt.statusUnconfirmed",
  published: "receipt.statusPublished",
  rejected: "receipt.statusRejected",
  deleted: "receipt.statusDeleted",
  erased: "receipt.statusErased",
} as const;

/** An author's page on what became of a text, from its entries in the log. `address`: its own. Without scripts. */
export function receiptPage(receipt: Receipt, language: Language, address: string): string {
  const { client, kind, status, entries, is_behind } = receipt;
  const writer = writerFor(client, language);
  const { t, shop } = writer;
  const heading = t(kind === "question" ? "receipt.titleQuestion" : "receipt.titleReview", { shop });
  const body = html(
    "main",
    null,
    shopName(client),
    html("h1", null, heading),
    html("p", { class: "lead" }, t(statusTexts[status], { shop })),
    section(
      "history",
      t("receipt.historyHeading"),
      entries.length > 0 &&
        html(
          "ol",
          { class: "changes" },
          entries.map(({ entry, index }) => step(writer, entry, index)),
        ),
      is_behind && paragraph(t("receipt.behind")),
    ),
    proofSection(writer, receipt, address),
    languageLinks(language, (other) => `${address}?lang=${other}`),
  );
  return pageAround(client, language, heading, body, '\n<meta name="robots" content="noindex, nofollow">');
}

const stepTexts = {
  received: "receipt.received",
  confirmed: "receipt.confirmed",
  appealed: "receipt.appealed",
  published: "receipt.published",
  rejected: "receipt.rejected",
  removed: "receipt.removed",
  restored: "receipt.restored",
  reopened: "receipt.reopened",
  deleted: "receipt.deleted",
  erased: "receipt.erased",
  replied: "receipt.replied",
  reply_edited: "receipt.replyEdited",
  reply_removed: "receipt.replyRemoved",
  reported: "receipt.reported",
  reports_closed: "receipt.reportsClosed",
  photo_hidden: "receipt.photoHidden",
  photo_shown: "receipt.photoShown",
} as const;

const deciderTexts: Partial<Record<Decider, "receipt.byPerson" | "receipt.byRule" | "receipt.byProgram">> = {
  person: "receipt.byPerson",
  rule: "receipt.byRule",
  key: "receipt.byProgram",
};

function step({ t, shop, moment, language }: Writer, entry: Entry, index: number): Html {
  const text =
    entry.type === "edited"
      ? t(entry.by === "author" ? "receipt.editedAuthor" : "receipt.editedStore", { shop })
      : entry.type === "deleted" && entry.by === "author"
        ? t("receipt.deletedAuthor")
        : t(stepTexts[entry.type as keyof typeof stepTexts], { shop });
  const by = "by" in entry && entry.type !== "edited" ? deciderTexts[entry.by] : undefined;
  return html(
    "li",
    null,
    html("strong", null, text),
    "reason" in entry && entry.reason !== undefined && paragraph(reasonText(language, entry.reason)),
    by && paragraph(t(by)),
    note(t("receipt.when", { moment: moment(entry.at), index: String(index) })),
  );
}

function proofSection({ t, shop, language }: Writer, { client, head, entries }: Receipt, address: string): Html {
  if (isTestStore(client)) return section("proof", t("receipt.proofHeading"), paragraph(t("testStore.noLog")));
  const link = (href: string, label: string) => html("li", null, html("a", { href }, label));
  return section(
    "proof",
    t("receipt.proofHeading"),
    paragraph(t("receipt.proofText", { shop })),
    head && entries.length > 0 && paragraph(t("receipt.proofHead", { size: head.size })),
    head && entries.length > 0 && code(head.checkpoint.split("\n")[2] ?? ""),
    paragraph(t("receipt.keep")),
    html(
      "ul",
      { class: "links" },
      link(`${address}/receipt.json`, t("receipt.download")),
      link(honestyPageUrl(client.id, language), t("honesty.link")),
    ),
  );
}
