import { type ClientRow, incentiveOf } from "@/lib/accounts/stores/get-client";
import { biasText } from "@/lib/display/honesty/bias-text";
import { code, languageLinks, note, pageAround, paragraph, section, shopName } from "@/lib/display/honesty/parts";
import { settingChanges, settingRows } from "@/lib/display/honesty/settings-text";
import { statementTexts } from "@/lib/display/honesty/statement";
import { highOf, lowOf, MIN_FOR_SHARES, midOf, sumOf, type Writer, writerFor } from "@/lib/display/honesty/texts";
import { type Html, html } from "@/lib/display/widget/html";
import { type BiasFinding, isLasting, isOfInvitations, MIN_REVIEWS } from "@/lib/honesty/bias/find-bias";
import type { ByStars, Figures, ReviewFigures, Times } from "@/lib/honesty/figures";
import type { StoredFigures } from "@/lib/honesty/figures-sql";
import { version } from "@/lib/honesty/verifier/generated/assets";
import { reasonText } from "@/lib/moderation/rejections/reason-text";
import { env } from "@/lib/platform/env";
import { honestyPageUrl } from "@/lib/platform/http/honesty-page";
import type { Language } from "@/lib/platform/i18n/languages";
import { authorRequestUrl } from "@/lib/reviews/author-page/link";

/** Reviews from which on a median is shown. */
const MIN_FOR_TIMES = 5;
/** Changes of settings that are listed. */
const MAX_CHANGES = 10;

/** The public page on how a store handles reviews, from its log's figures. Without scripts. */
export function honestyPage(client: ClientRow, stored: StoredFigures, language: Language): string {
  const writer = writerFor(client, language);
  const { t, shop } = writer;
  const { figures } = stored;
  const { reviews } = figures;
  const heading = t("honesty.title", { shop });
  const hasReviews = reviews.received.total > 0;
  const body = html(
    "main",
    null,
    shopName(client),
    html("h1", null, heading),
    html(
      "p",
      { class: "lead" },
      hasReviews && figures.first_at
        ? `${t("honesty.intro", { n: reviews.received.total, day: writer.day(figures.first_at) })} ${t("honesty.introLog")}`
        : t("honesty.empty", { shop }),
    ),
    hasReviews && publishedSection(writer, reviews),
    hasReviews && realSection(writer, reviews),
    incentiveSection(writer, client, figures),
    askSection(writer, figures),
    hasReviews && timeSection(writer, reviews),
    (hasReviews || comparesInvitations(stored)) && biasSection(writer, stored),
    hasReviews && reasonSection(writer, reviews),
    hasReviews && laterSection(writer, reviews),
    section(
      "statement",
      t("honesty.statementHeading", { shop }),
      ...statementTexts(writer, client, figures).map(paragraph),
    ),
    checkSection(writer, client.id, stored),
    html(
      "p",
      null,
      html("a", { href: authorRequestUrl(client.id, language) }, t("authorPage.requestHeading", { shop })),
    ),
    languageLinks(language, (other) => honestyPageUrl(client.id, other)),
  );
  return pageAround(client, language, heading, body);
}

/** Reviews that the store decided against, in whatever way. */
const againstOf = ({ rejected, removed, deleted }: ReviewFigures): ByStars => sumOf(rejected, removed, deleted);

function publishedSection(writer: Writer, reviews: ReviewFigures): Html {
  const { t, percent } = writer;
  const { published, pending, published_share: share } = reviews;
  const group = (label: string, of: (counts: ByStars) => number): Html => {
    const shown = { published: of(share.published), decided: of(share.of) };
    return html(
      "div",
      { class: "fact" },
      html("p", { class: "label" }, label),
      ...(shown.decided >= MIN_FOR_SHARES
        ? [
            html("p", { class: "value" }, percent(shown.published, shown.decided)),
            note(t("honesty.publishedOf", shown)),
          ]
        : [paragraph(t("honesty.publishedOf", shown)), note(t("honesty.tooFew"))]),
    );
  };
  return section(
    "published",
    t("honesty.badHeading"),
    html("div", { class: "facts" }, group(t("honesty.lowStars"), lowOf), group(t("honesty.highStars"), highOf)),
    note(t("honesty.shareNote")),
    starsChart(writer, published, againstOf(reviews), pending),
    note(t("honesty.starsChart")),
    html(
      "details",
      null,
      html("summary", null, t("honesty.allHeading")),
      allFigures(writer, reviews),
      note(t("honesty.rowNote")),
    ),
  );
}

/** A bar for each number of stars: published, decided against, pending. */
function starsChart({ t, number }: Writer, published: ByStars, against: ByStars, pending: ByStars): Html {
  const parts = [
    { name: "published", label: t("honesty.legendPublished"), counts: published },
    { name: "against", label: t("honesty.legendRejected"), counts: against },
    { name: "pending", label: t("honesty.legendPending"), counts: pending },
  ];
  const rows = [4, 3, 2, 1, 0].map((index) => {
    const counts = parts.map((part) => ({ ...part, count: part.counts.stars[index] ?? 0 }));
    const total = counts.reduce((sum, { count }) => sum + count, 0);
    const described = counts.map(({ label, count }) => `${label}: ${number(count)}`).join(", ");
    return html(
      "li",
      null,
      html("span", { class: "stars" }, `${index + 1} ★`),
      html(
        "span",
        { class: "bar", role: "img", "aria-label": described },
        counts
          .filter(({ count }) => count > 0)
          .map(({ name, count }) =>
            html("span", { class: name, style: `width:${((100 * count) / total).toFixed(2)}%` }),
          ),
      ),
      html(
        "span",
        { class: "count" },
        total > 0 ? t("honesty.starsRow", { published: counts[0]?.count ?? 0, total }) : "–",
      ),
    );
  });
  const legend = parts.map(({ name, label }) => html("li", null, html("span", { class: `key ${name}` }), label));
  return html("div", null, html("ul", { class: "chart" }, rows), html("ul", { class: "legend" }, legend));
}

function realSection(writer: Writer, reviews: ReviewFigures): Html {
  const { t } = writer;
  const { published, verified_buyer, verified_email, invited, imported } = reviews;
  const unknown = published.total - verified_buyer.total - verified_email.total;
  const shares = (rows: [string, number][]) =>
    pairs(rows.map(([label, count]) => [label, shareOf(writer, count, published.total)]));
  return section(
    "customers",
    t("honesty.realHeading"),
    paragraph(t("honesty.realOf", { n: published.total })),
    shares([
      [t("honesty.realBuyers"), verified_buyer.total],
      [t("honesty.realEmail"), verified_email.total],
      [t("honesty.realUnknown"), unknown],
    ]),
    // A list of its own, since these reviews are in the first one too.
    paragraph(t("honesty.realSources")),
    shares([
      [t("honesty.realInvited"), invited.total],
      [t("honesty.realImported"), imported.total],
    ]),
  );
}

/**
 * What authors get, if the store declares something, since when there has been a reward (the log doesn't have which), and
 * how many reviews were written for one.
 */
function incentiveSection(writer: Writer, client: ClientRow, { reviews, settings }: Figures): Html {
  const { t, shop, day } = writer;
  const { published, incentivized } = reviews;
  const offered = settings.findLastIndex((entry) => entry.settings.incentive !== true) + 1;
  const since = settings[offered]?.at;
  const incentive = incentiveOf(client);
  return section(
    "incentives",
    t("honesty.incentiveHeading"),
    ...(incentive === null
      ? [paragraph(t("honesty.incentiveNo"))]
      : [
          paragraph(t("honesty.incentiveYes", { shop, incentive })),
          since !== undefined && paragraph(t("honesty.incentiveSince", { day: day(since) })),
        ]),
    published.total > 0 && paragraph(t("honesty.realOf", { n: published.total })),
    published.total > 0 && pairs([[t("honesty.incentivized"), shareOf(writer, incentivized.total, published.total)]]),
    (incentive !== null || incentivized.total > 0) && note(t("honesty.incentiveNote")),
  );
}

const shareOf = ({ number, percent }: Writer, part: number, whole: number): string =>
  whole >= MIN_FOR_SHARES ? `${number(part)} (${percent(part, whole)})` : number(part);

/** Labels with their values. */
const pairs = (rows: [label: string, value: string][]): Html =>
  html(
    "dl",
    null,
    rows.map(([label, value]) => html("div", null, html("dt", null, label), html("dd", null, value))),
  );

function askSection(writer: Writer, figures: Figures): Html {
  const { t, shop, day, dayRange } = writer;
  const { settings: history, invitations } = figures;
  const current = history.at(-1)?.settings;
  const first = history[0];
  const after = current?.send_emails_after_days;
  const before = current?.send_emails_before_days;
  const asksNobody = current?.send_limit === 0;
  const changes = settingChanges(writer, history);
  return section(
    "invitations",
    t("honesty.askHeading", { shop }),
    paragraph(
      !current
        ? t("honesty.askUnknown")
        : asksNobody || typeof after !== "number" || typeof before !== "number"
          ? t("honesty.askNever", { shop })
          : t("honesty.askEveryone", { range: dayRange(after, before) }),
    ),
    invitations && invitedPart(writer, invitations),
    current
      ? html(
          "details",
          null,
          html("summary", null, t("honesty.askSettings")),
          pairs(settingRows(writer, current).map(({ label, value }) => [label, value])),
        )
      : null,
    first
      ? html(
          "div",
          null,
          html("h3", null, t("honesty.changesHeading")),
          changes.length === 0
            ? note(t("honesty.changesNone", { day: day(first.at) }))
            : html(
                "ul",
                { class: "changes" },
                changes
                  .slice(0, MAX_CHANGES)
                  .map(({ at, texts }) => html("li", null, html("strong", null, day(at)), texts.map(paragraph))),
              ),
          changes.length > MAX_CHANGES && note(t("honesty.changesMore")),
        )
      : null,
  );
}

/** Why no invitation asked about an item, by the codes of the log. */
const skipTexts = {
  already_invited: "honesty.skipAlreadyInvited",
  already_reviewed: "honesty.skipAlreadyReviewed",
  excluded: "honesty.skipExcluded",
  failed: "honesty.skipFailed",
  held: "honesty.skipHeld",
  no_delivery_date: "honesty.skipNoDeliveryDate",
  no_email: "honesty.skipNoEmail",
  not_reviewable: "honesty.skipNotReviewable",
  opted_out: "honesty.skipOptedOut",
  product_deleted: "honesty.skipProductDeleted",
  quarantine: "honesty.skipQuarantine",
  send_limit: "honesty.skipSendLimit",
  suppressed: "honesty.skipSuppressed",
  too_early: "honesty.skipTooEarly",
  too_late: "honesty.skipTooLate",
  waiting_for_items: "honesty.skipWaitingForItems",
} as const;

function invitedPart(writer: Writer, invitations: NonNullable<Figures["invitations"]>): Html {
  const { t, number, calendarDay } = writer;
  const { sent, skipped, first_day, last_day } = invitations;
  const total = Object.values(skipped).reduce((sum, count) => sum + count, sent);
  const labelOf = (reason: string) =>
    t(Object.hasOwn(skipTexts, reason) ? skipTexts[reason as keyof typeof skipTexts] : "honesty.skipOther");
  const rows = Object.entries(skipped).sort(([, a], [, b]) => b - a);
  return html(
    "div",
    null,
    paragraph(t("honesty.invitedOf", { from: calendarDay(first_day), to: calendarDay(last_day), sent, total })),
    rows.length > 0 &&
      table(
        [t("honesty.notInvited"), t("honesty.items")],
        rows.map(([reason, count]) => [labelOf(reason), number(count)]),
      ),
  );
}

function timeSection(writer: Writer, { time_to_publish: times, waiting }: ReviewFigures): Html {
  const { t, duration, number } = writer;
  const within = (minutes: number | null, { count }: Times) =>
    minutes === null || count < MIN_FOR_TIMES ? "–" : duration(minutes, "short");
  const rows = [4, 3, 2, 1, 0].map((index) => {
    const own = times.stars[index] as Times;
    return [`${index + 1} ★`, within(own.median, own), within(own.p90, own), number(waiting.stars[index] ?? 0)];
  });
  return section(
    "times",
    t("honesty.timeHeading"),
    paragraph(
      times.count >= MIN_FOR_TIMES && times.median !== null && times.p90 !== null
        ? t("honesty.timeText", { median: duration(times.median), most: duration(times.p90) })
        : t("honesty.timeFew"),
    ),
    table([t("honesty.stars"), t("honesty.timeHalf"), t("honesty.timeMost"), t("honesty.timeWaiting")], rows),
    note(t("honesty.timeNote", { min: MIN_FOR_TIMES })),
  );
}

/** Not in the figures, which are from the log alone. */
const lastingInvitationBias = ({ as_of, findings }: StoredFigures): BiasFinding[] =>
  findings.filter((one) => isOfInvitations(one) && isLasting(one, as_of.getTime()));

/** Whether so many excluded orders can't be compared that it hides a difference. */
const hasUnknownExclusions = ({ not_compared }: StoredFigures): boolean => not_compared >= MIN_REVIEWS;

/** Whether there's something to say about them: what was found, or what can't be compared. */
const comparesInvitations = (stored: StoredFigures): boolean =>
  lastingInvitationBias(stored).length > 0 || hasUnknownExclusions(stored);

function biasSection(writer: Writer, stored: StoredFigures): Html {
  const { t, day } = writer;
  const invited = lastingInvitationBias(stored);
  const bias = [...stored.figures.bias, ...invited];
  return section(
    "alike",
    t("honesty.biasHeading"),
    bias.length === 0
      ? paragraph(t("honesty.biasNone"))
      : html(
          "ul",
          { class: "changes" },
          bias.map((finding) =>
            html(
              "li",
              null,
              html("strong", null, t("honesty.biasSince", { day: day(finding.since) })),
              paragraph(biasText(writer, finding)),
            ),
          ),
        ),
    hasUnknownExclusions(stored) && note(t("honesty.biasNotCompared", { n: stored.not_compared })),
    comparesInvitations(stored) && note(t("honesty.biasInvitedNote")),
    note(t("honesty.biasNote", { min: MIN_REVIEWS })),
  );
}

function reasonSection(writer: Writer, { reasons, decided_by }: ReviewFigures): Html {
  const { t, number, language } = writer;
  // Codes that this version doesn't know share a text.
  const byText = new Map<string, ByStars>();
  for (const [code, counts] of Object.entries(reasons)) {
    const text = reasonText(language, code);
    byText.set(text, sumOf(counts, ...[byText.get(text)].filter((known) => known !== undefined)));
  }
  const rows = [...byText].sort(([, a], [, b]) => b.total - a.total);
  const { person, rule, key, system, author } = decided_by.rejected;
  return section(
    "reasons",
    t("honesty.reasonHeading"),
    rows.length === 0
      ? paragraph(t("honesty.reasonNone"))
      : table(
          [t("honesty.reason"), "1\u2060–\u20602\u00a0★", "3\u00a0★", "4\u2060–\u20605\u00a0★"],
          rows.map(([text, counts]) => [text, number(lowOf(counts)), number(midOf(counts)), number(highOf(counts))]),
        ),
    rows.length > 0 && note(t("honesty.reasonBy", { person, rule, other: key + system + author })),
  );
}

function laterSection(writer: Writer, reviews: ReviewFigures): Html {
  const { t, number } = writer;
  const { removed, deleted, deleted_published, erased, erased_published, undone } = reviews;
  const { store_edits, author_edits, replied, published, reports } = reviews;
  const ended = ({ total }: ByStars, whilePublished: ByStars) =>
    total === 0 ? number(0) : t("honesty.afterEndedValue", { total, published: whilePublished.total });
  const edits = (counts: { total: number; raised: number; lowered: number }) => {
    const { total, raised, lowered } = counts;
    return raised + lowered === 0 ? number(total) : t("honesty.afterEditsValue", { total, raised, lowered });
  };
  return section(
    "later",
    t("honesty.afterHeading"),
    pairs([
      [t("honesty.afterRemoved"), number(removed.total)],
      [t("honesty.afterDeleted"), ended(deleted, deleted_published)],
      [t("honesty.afterErased"), ended(erased, erased_published)],
      ...(undone.total > 0 ? ([[t("honesty.afterUndone"), number(undone.total)]] as [string, string][]) : []),
      [t("honesty.afterStoreEdits"), edits(store_edits)],
      [t("honesty.afterAuthorEdits"), edits(author_edits)],
      [t("honesty.afterReplied"), shareOf(writer, replied.total, published.total)],
      [t("honesty.afterReports"), reports.total === 0 ? number(0) : t("honesty.afterReportsValue", reports)],
    ]),
  );
}

function allFigures({ t, number }: Writer, reviews: ReviewFigures): Html {
  const rows: [string, ByStars][] = [
    [t("honesty.rowReceived"), reviews.received],
    [t("honesty.legendPublished"), reviews.published],
    [t("honesty.rowRejected"), reviews.rejected],
    [t("honesty.rowRemoved"), reviews.removed],
    [t("honesty.afterDeleted"), reviews.deleted],
    [t("honesty.afterErased"), reviews.erased],
    [t("honesty.afterUndone"), reviews.undone],
    [t("honesty.rowPending"), reviews.pending],
    [t("honesty.timeWaiting"), reviews.waiting],
    [t("honesty.rowUnconfirmed"), reviews.unconfirmed],
    [t("honesty.realBuyers"), reviews.verified_buyer],
    [t("honesty.realEmail"), reviews.verified_email],
    [t("honesty.realInvited"), reviews.invited],
    [t("honesty.realImported"), reviews.imported],
    [t("honesty.incentivized"), reviews.incentivized],
    [t("honesty.afterReplied"), reviews.replied],
  ];
  return table(
    ["", "1 ★", "2 ★", "3 ★", "4 ★", "5 ★", t("honesty.total")],
    rows.map(([label, { stars, total }]) => [label, ...stars.map(number), number(total)]),
  );
}

/** A table whose first column has the names of its rows, and the others numbers. */
function table(heads: string[], rows: string[][]): Html {
  const [corner = "", ...columns] = heads;
  return html(
    "div",
    { class: "scroll", tabindex: "0", role: "group", "aria-label": corner || columns.join(", ") },
    html(
      "table",
      null,
      html(
        "thead",
        null,
        html(
          "tr",
          null,
          corner === "" ? html("td", null) : html("th", { scope: "col" }, corner),
          columns.map((column) => html("th", { scope: "col" }, column)),
        ),
      ),
      html(
        "tbody",
        null,
        rows.map(([name = "", ...values]) =>
          html(
            "tr",
            null,
            html("th", { scope: "row" }, name),
            values.map((value) => html("td", null, value)),
          ),
        ),
      ),
    ),
  );
}

function checkSection(writer: Writer, clientId: string, { as_of, size, checkpoint, figures }: StoredFigures): Html {
  const { t, day, moment } = writer;
  const address = honestyPageUrl(clientId);
  const program = `${env().PUBLIC_URL}/honesty/verify.mjs`;
  const link = (href: string, label: string) => html("li", null, html("a", { href }, label));
  return section(
    "check",
    t("honesty.checkHeading"),
    paragraph(t("honesty.checkText")),
    size > 0 && paragraph(t("honesty.checkHead", { moment: moment(as_of.toISOString()), size })),
    size > 0 && code(checkpoint.split("\n")[2] ?? ""),
    figures.began_at &&
      figures.first_at !== figures.began_at &&
      note(t("honesty.checkBegan", { day: day(figures.began_at) })),
    paragraph(t("honesty.checkHow")),
    code(`npx "${env().PUBLIC_URL}/honesty/verifier.tgz?v=${version}" ${address}`),
    html(
      "ul",
      { class: "links" },
      size > 0 && link(`${address}/log/checkpoint`, t("honesty.checkLog")),
      link(program, t("honesty.checkProgram")),
      link(`${address}/figures.json`, t("honesty.checkJson")),
      link(`${address}/figures.csv`, t("honesty.checkCsv")),
    ),
  );
}
