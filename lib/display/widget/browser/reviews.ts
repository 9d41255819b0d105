import type { Review, ReviewList } from "../types";
import { focusOn, h } from "./dom";
import { show } from "./host";
import { photosOf, showPhotos } from "./photos";
import { fetchSummary, once, type Product, readReviewPage, settings, t, views, withQuery } from "./service";
import { reviewActions } from "./votes";
import { openForm } from "./write";

const PAGE = 8;
const PHOTOS = 12;
/** Layout shifts within so many milliseconds of an input aren't counted as unexpected. */
const SHIFT_GRACE_MS = 400;

type ReviewFilters = Record<"sort" | "score" | "lang" | "with_photos" | "verified", string>;
const noFilters: ReviewFilters = { sort: "newest", score: "", lang: "", with_photos: "", verified: "" };

/** The list of reviews with everything around it. */
export async function showReviews(host: HTMLElement, product: Product): Promise<() => void> {
  const summary = await fetchSummary(product);
  const count = summary.your_review_count;
  // Null without reviews, of which nothing is loaded.
  const listUrl = summary.your_review_url as string;
  const first: ReviewList = count
    ? await readReviewPage(withQuery(listUrl, { limit: `${PAGE}` }))
    : { reviews: [], next_page_url: null };
  const withPhotos = summary.your_photo_review_count
    ? await readReviewPage(withQuery(listUrl, { with_photos: "1", limit: `${PHOTOS}` }))
    : null;

  const choice: ReviewFilters = { ...noFilters };
  const list = h("ol", { class: "list" });
  const status = h("p", { class: "status", role: "status" });
  const clear = h(
    "button",
    { type: "button", class: "text-button", onclick: () => applyFilters(noFilters) },
    t("clear"),
  );
  const more = h(
    "button",
    { type: "button", class: "plain more", onclick: loadMore, onpointerenter: prefetch, onfocus: prefetch },
    t("more"),
  );
  const toggles: [element: HTMLElement, name: keyof ReviewFilters, value: string][] = [];
  /** Loads the next page; called ahead when the visitor is about to need it. */
  let loadNextPage: (() => Promise<ReviewList>) | null = null;
  let requestCount = 0;

  const section = views.section(
    t("reviews"),
    views.overview(
      summary,
      h(
        "button",
        { type: "button", class: "primary", onclick: () => openForm(section, product) },
        count ? t("write") : t("first"),
      ),
      (score, row) => {
        applyFilters({ score: choice.score === `${score}` ? "" : `${score}` });
        row().focus();
      },
    ),
    withPhotos && gallery(withPhotos.reviews),
    count > 0 && h("div", { class: "controls" }, count > 1 && controls(), status),
    list,
    more,
    views.note(first.reviews.some(({ verified_buyer }) => verified_buyer)),
  );
  for (const row of section.querySelectorAll<HTMLElement>("[data-score]"))
    toggles.push([row, "score", row.dataset.score as string]);

  function gallery(reviews: Review[]) {
    const photos = photosOf(reviews);
    return h(
      "div",
      { class: "gallery" },
      h("h3", null, t("gallery")),
      h(
        "div",
        { class: "thumbs" },
        photos
          .slice(0, PHOTOS)
          .map(({ image, review }, index) =>
            views.thumb(image, views.photoLabel(index, photos.length, review.author), () =>
              showPhotos(section, reviews, index),
            ),
          ),
      ),
    );
  }

  function controls() {
    const chip = (name: "with_photos" | "verified", label: string, n: number | undefined) => {
      if (!n || n === count) return null;
      const element = h(
        "button",
        {
          type: "button",
          class: "chip",
          "aria-pressed": "false",
          onclick: () => applyFilters({ [name]: choice[name] ? "" : "1" }),
        },
        label,
      );
      toggles.push([element, name, "1"]);
      return element;
    };
    const select = (name: "sort" | "lang", label: string, options: [value: string, text: string][]) => {
      const element = h(
        "select",
        { onchange: () => applyFilters({ [name]: element.value }) },
        options.map(([value, text]) => h("option", { value }, text)),
      ) as HTMLSelectElement;
      clear.addEventListener("click", () => {
        element.selectedIndex = 0;
      });
      return h("label", { class: name }, label, element);
    };
    const languages = summary.your_review_languages ?? [];
    const names = new Intl.DisplayNames(settings.locale, { type: "language" });
    const nameOf = (lang: string) => {
      try {
        return names.of(lang) ?? lang;
      } catch {
        return lang; // a store may send a language that isn't a valid tag
      }
    };
    return [
      chip("with_photos", t("withPhotos"), summary.your_photo_review_count),
      chip("verified", t("verifiedOnly"), summary.your_verified_review_count),
      languages.length > 1 &&
        select("lang", t("language"), [
          ["", t("allLanguages")],
          ...languages.map(({ lang, count: n }): [string, string] => [lang, `${nameOf(lang)} (${n})`]),
        ]),
      select("sort", t("sort"), [
        ["newest", t("newest")],
        ["most_helpful", t("mostHelpful")],
        ["highest", t("highest")],
        ["lowest", t("lowest")],
      ]),
    ];
  }

  async function applyFilters(change: Partial<ReviewFilters>) {
    Object.assign(choice, change);
    for (const [element, name, value] of toggles) element.setAttribute("aria-pressed", `${choice[name] === value}`);
    const began = performance.now();
    requestCount += 1;
    const requestNumber = requestCount;
    list.setAttribute("aria-busy", "true");
    try {
      const page = await readReviewPage(withQuery(listUrl, { ...choice, limit: `${PAGE}` }));
      if (requestNumber !== requestCount) return;
      // Content below moves up only right after the click, and not later.
      list.style.minHeight = performance.now() - began < SHIFT_GRACE_MS ? "" : `${list.offsetHeight}px`;
      list.replaceChildren();
      add(page);
      const filtered = choice.score || choice.lang || choice.with_photos || choice.verified;
      const used = clear.matches(":focus");
      // None so far doesn't mean none at all: later pages may have some.
      const none = page.reviews.length === 0 && !page.next_page_url;
      status.replaceChildren(...(filtered ? [`${none ? t("noMatches") : ""} `, clear] : []));
      // The button disappears with its focus, so the focus moves to the list.
      if (used && !filtered) focusOn(list.firstElementChild);
    } catch {
      if (requestNumber === requestCount) status.textContent = t("failed");
    } finally {
      if (requestNumber === requestCount) list.setAttribute("aria-busy", "false");
    }
  }

  function add({ reviews, next_page_url }: ReviewList) {
    for (const review of reviews)
      list.append(
        views.review(
          review,
          { actions: reviewActions(review), open: (index) => showPhotos(section, [review], index) },
          product.name ?? null,
        ),
      );
    loadNextPage = next_page_url ? once(() => readReviewPage(next_page_url)) : null;
    more.hidden = !loadNextPage;
    collapseLongTexts();
  }

  /** Collapses long texts. */
  function collapseLongTexts() {
    for (const text of list.querySelectorAll<HTMLElement>(".text:not(.seen)")) {
      text.classList.add("seen", "cut");
      if (text.scrollHeight > text.clientHeight + 2)
        text.after(
          h(
            "button",
            {
              type: "button",
              class: "text-button",
              onclick: ({ currentTarget }) => {
                text.classList.remove("cut");
                (currentTarget as HTMLElement).remove();
                focusOn(text);
              },
            },
            t("readMore"),
          ),
        );
      else text.classList.remove("cut");
    }
  }

  async function loadMore() {
    const loadPage = loadNextPage;
    if (!loadPage || more.ariaDisabled === "true") return;
    more.ariaDisabled = "true";
    const before = list.lastElementChild;
    try {
      const page = await loadPage();
      // The filters changed meanwhile: the page belongs to a list that is no longer shown.
      if (loadPage !== loadNextPage) return;
      status.replaceChildren();
      add(page);
      focusOn(before ? before.nextElementSibling : list.firstElementChild);
    } catch {
      status.textContent = t("failed");
    } finally {
      more.ariaDisabled = null;
    }
  }
  function prefetch() {
    loadNextPage?.().catch(() => {});
  }

  return () => show(host, section, () => add(first));
}
