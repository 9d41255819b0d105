import type { Child, CreateElement } from "@/lib/display/widget/elements";
import type { QuestionLabels, WidgetSettings } from "@/lib/display/widget/settings";
import type { Question, Review, SellerList, SellerReview, Summary } from "@/lib/display/widget/types";
import { compactFormatter } from "@/lib/platform/i18n/compact-formatter";

/** A star in a square of 20 by 20, and five side by side. */
const SHAPE = "1.6l2.6 5.3 5.8.85-4.2 4.1 1 5.8-5.2-2.75-5.2 2.75 1-5.8-4.2-4.1 5.8-.85z";
export const STAR = `M10 ${SHAPE}`;
const FIVE_STARS = [10, 30, 50, 70, 90].map((x) => `M${x} ${SHAPE}`).join("");

const CHECK = "M3 10.5l4.5 4.5L17 5.5";

type Head = Pick<SellerReview, "author" | "date" | "score" | "verified_buyer" | "incentivized" | "properties" | "lang">;

/** Parts that only a page with scripts has. */
type InteractiveParts<T> = {
  /** below a review: buttons to vote and report */
  actions?: Child<T>;
  /** called when a photo is opened */
  open?: (index: number) => void;
};

/**
 * The widget's views, with either kind of elements. All user content is inserted as text. Nothing needs style
 * attributes, which a store's Content-Security-Policy may forbid.
 */
export function viewsOf<T>(
  h: CreateElement<T>,
  { honesty, badge, messages, locale, lang, shop, reviewQuestions }: WidgetSettings,
) {
  const t = compactFormatter(locale, messages);
  const decimal = new Intl.NumberFormat(locale, { minimumFractionDigits: 1, maximumFractionDigits: 1 });
  const wholeNumber = new Intl.NumberFormat(locale);
  const day = new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeZone: "UTC" });

  const stars = (score: number, size = "") =>
    h(
      "svg",
      {
        class: `stars ${size}`,
        viewBox: "0 0 100 20",
        role: "img",
        "aria-label": t("score", { score: score % 1 ? decimal.format(score) : score }),
      },
      h("path", { d: FIVE_STARS }),
      h("svg", { width: score * 20, height: 20 }, h("path", { class: "on", d: FIVE_STARS })),
    );

  const icon = (d: string) =>
    h("svg", { class: "icon", viewBox: "0 0 20 20", "aria-hidden": "true" }, h("path", { d }));

  /** A bar filled to `share`, from 0 to 1. */
  const bar = (share: number) =>
    h("svg", { class: "bar", "aria-hidden": "true" }, h("rect", { width: `${share * 100}%` }));

  const dayOf = (date: string) => h("time", { datetime: date }, day.format(new Date(date)));

  const reply = (responses: SellerReview["responses"]) =>
    responses.map(({ author, date, extract, lang: replyLang }) =>
      h(
        "blockquote",
        { class: "reply" },
        h("p", { class: "meta" }, h("b", null, t("reply", { author: author ?? shop })), " ", dayOf(date)),
        h("p", { class: "text", lang: replyLang }, extract),
      ),
    );

  const points = (kind: string, label: string, texts: string[], textLang: string | null) =>
    texts.length > 0 &&
    h(
      "ul",
      { class: `points ${kind}`, "aria-label": label },
      texts.map((text) => h("li", { lang: textLang }, text)),
    );

  /** Answers to the client's custom questions. */
  const facts = (properties: Record<string, unknown>) => {
    const rows = Object.entries(reviewQuestions).flatMap(([name, { label, options }]) => {
      const value = properties[name];
      if (value == null || value === "") return [];
      const values = ([value].flat() as (string | number)[]).map((one) =>
        typeof one === "number" ? `${one}/5` : (options[one] ?? `${one}`),
      );
      return [h("div", null, h("dt", null, label), h("dd", null, values.join(", ")))];
    });
    return rows.length > 0 && h("dl", { class: "facts" }, rows);
  };

  const head = ({ author, date, score, verified_buyer, incentivized, properties, lang: reviewLang }: Head) => [
    h(
      "p",
      { class: "rated" },
      stars(score),
      properties.title ? h("b", { lang: reviewLang }, `${properties.title}`) : null,
    ),
    h(
      "p",
      { class: "meta" },
      h("span", null, author ?? t("anonymous")),
      verified_buyer && h("span", { class: "verified" }, icon(CHECK), t("verified")),
      incentivized && h("span", null, t("incentivized")),
      dayOf(date),
    ),
  ];

  const thumb = ({ icon: src }: { icon: string }, label: string, open?: () => void) => {
    const image = h("img", { src, alt: open ? "" : label, width: 72, height: 72, loading: "lazy" });
    return open ? h("button", { type: "button", class: "thumb", "aria-label": label, onclick: open }, image) : image;
  };

  /** The text of a photo, the one at `index` of `all`. */
  const photoLabel = (index: number, all: number, author: string | null) =>
    t("photo", { n: index + 1, all, author: author ?? t("anonymous") });

  const review = (
    { extract, lang: reviewLang, pros, cons, product, images, responses, properties, author, ...rest }: Review,
    { actions, open }: InteractiveParts<T> = {},
    current: string | null = null,
  ) =>
    h(
      "li",
      { class: "review" },
      h(
        "article",
        null,
        head({ lang: reviewLang, properties, author, ...rest }),
        product && current && product !== current && h("p", { class: "meta" }, t("about", { product })),
        extract && h("p", { class: "text", lang: reviewLang }, extract),
        (pros.length > 0 || cons.length > 0) &&
          h(
            "div",
            { class: "two" },
            points("pros", t("pros"), pros, reviewLang),
            points("cons", t("cons"), cons, reviewLang),
          ),
        facts(properties),
        typeof properties.recommended === "boolean" &&
          h(
            "p",
            { class: "recommended" },
            icon(properties.recommended ? CHECK : "M4 4l12 12M16 4L4 16"),
            t(properties.recommended ? "recommended" : "notRecommended"),
          ),
        images.length > 0 &&
          h(
            "div",
            { class: "thumbs" },
            images.map((image, index) =>
              thumb(image, photoLabel(index, images.length, author), open && (() => open(index))),
            ),
          ),
        reply(responses),
        actions,
      ),
    );

  const sellerReview = (given: SellerReview) =>
    h(
      "li",
      { class: "review" },
      h(
        "article",
        null,
        head(given),
        given.extract && h("p", { class: "text", lang: given.lang }, given.extract),
        reply(given.responses),
      ),
    );

  const question = ({ question: text, details, author, date, lang: questionLang, answers }: Question) =>
    h(
      "li",
      { class: "review" },
      h(
        "article",
        null,
        h("h3", { lang: questionLang }, text),
        h("p", { class: "meta" }, h("span", null, author ?? t("anonymous")), dayOf(date)),
        details && h("p", { class: "text", lang: questionLang }, details),
        answers.map((given) =>
          h(
            "blockquote",
            { class: "reply" },
            h(
              "p",
              { class: "meta" },
              h("b", null, given.author ?? (given.from_seller ? shop : t("anonymous"))),
              given.from_seller && given.author !== shop && h("span", { class: "verified" }, shop),
              dayOf(given.date),
            ),
            h("p", { class: "text", lang: given.lang }, given.answer),
          ),
        ),
      ),
    );

  /** Stars, mean and count on one line. */
  const rating = (mean: number | null, count: number, text?: string) => [
    stars(mean ?? 0),
    mean !== null && h("b", null, decimal.format(mean)),
    h("span", { class: "count" }, text ?? t("count", { n: count })),
  ];

  /** How many reviews gave how many stars; rows are buttons if `pick` is given. */
  const histogram = (dist: number[], pick?: (score: number, row: () => T) => void) => {
    const all = dist.reduce((sum, n) => sum + n, 0);
    return h(
      "ul",
      { class: "histogram" },
      [5, 4, 3, 2, 1].map((score) => {
        const n = dist[score - 1] ?? 0;
        const label = `${t("stars", { n: score })}: ${t("count", { n })}`;
        const inside = [
          h("span", { class: "sr" }, label),
          h("span", { "aria-hidden": "true" }, `${score}`),
          icon(STAR),
          bar(all > 0 ? n / all : 0),
          h("span", { class: "n", "aria-hidden": "true" }, wholeNumber.format(n)),
        ];
        const row: T = pick
          ? h(
              "button",
              {
                type: "button",
                class: "row",
                "aria-pressed": "false",
                "data-score": score,
                disabled: n === 0,
                onclick: () => pick(score, () => row),
              },
              inside,
            )
          : h("div", { class: "row" }, inside);
        return h("li", null, row);
      }),
    );
  };

  /** Totals of the answers to the client's custom questions. */
  const answers = (totals: Summary["your_review_answers"]) => {
    const rows = (totals ?? []).filter(({ name, count }) => count > 0 && reviewQuestions[name]);
    return (
      rows.length > 0 &&
      h(
        "dl",
        { class: "answers" },
        rows.map((row) => {
          const { label, options } = reviewQuestions[row.name] as QuestionLabels;
          return h(
            "div",
            null,
            h("dt", null, label),
            row.type === "score"
              ? h("dd", null, rating(row.avg_score, row.count, ""))
              : row.options.map(({ value, count }) =>
                  h(
                    "dd",
                    null,
                    h("span", null, options[value] ?? value),
                    bar(count / row.count),
                    h("span", { class: "n" }, wholeNumber.format(count)),
                  ),
                ),
          );
        }),
      )
    );
  };

  const pointList = (label: string, texts: string[]) =>
    texts.length > 0 &&
    h(
      "div",
      { class: "named" },
      h("h3", null, label),
      h(
        "ul",
        null,
        texts.slice(0, 5).map((text) => h("li", null, text)),
      ),
    );

  /** The top of the reviews: mean, distribution, most frequent pros and cons, and `write` to add a review. */
  const overview = (summary: Summary, write: Child<T>, pick?: (score: number, row: () => T) => void) => {
    const elsewhere = (url: string | null, n: number, key: "experts" | "users") =>
      url !== null && n > 0 && h("p", { class: "meta" }, h("a", { href: url, rel: "noopener" }, t(key, { n })));
    if (summary.your_review_count === 0)
      return h("div", { class: "empty" }, stars(0, "large"), h("p", null, t("none")), write);
    return h(
      "div",
      { class: "overview" },
      h(
        "div",
        { class: "mean" },
        h("p", { class: "figure" }, decimal.format(summary.your_avg_score ?? 0)),
        stars(summary.your_avg_score ?? 0, "large"),
        h("p", { class: "meta" }, t("count", { n: summary.your_review_count })),
        elsewhere(summary.pro_review_page_url, summary.pro_review_count, "experts"),
        elsewhere(summary.user_review_page_url, summary.user_review_count, "users"),
        write,
      ),
      histogram(summary.your_score_dist, pick),
      (summary.product_pros.length > 0 || summary.product_cons.length > 0) &&
        h(
          "div",
          { class: "say" },
          pointList(t("topPros"), summary.product_pros),
          pointList(t("topCons"), summary.product_cons),
        ),
      answers(summary.your_review_answers),
    );
  };

  const section = (label: string, ...children: Child<T>[]) =>
    h("section", { class: "candor", lang, "aria-label": label }, h("h2", null, label), children);

  const sellerLine = ({ avg_score, review_count }: SellerList) =>
    rating(avg_score, review_count, `${shop} · ${t("count", { n: review_count })}`);

  /** What verified buyers are, if there are some, and how the store handles reviews. */
  const note = (hasVerified: boolean) =>
    h(
      "p",
      { class: "note" },
      hasVerified && `${t("verifiedNote", { shop })} `,
      h("a", { href: honesty }, t("honesty"), badge && h("img", { src: badge, alt: "", height: 44, loading: "lazy" })),
    );

  return {
    t,
    icon,
    stars,
    rating,
    overview,
    review,
    sellerReview,
    sellerLine,
    question,
    section,
    thumb,
    photoLabel,
    note,
  };
}
export type Views<T> = ReturnType<typeof viewsOf<T>>;
