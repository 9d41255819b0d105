import type { start } from "./compat";
import { h } from "./dom";
import { line, show } from "./host";
import { pagedList } from "./paged-list";
import { parsed } from "./parsed";
import { showQuestions } from "./questions";
import { fetchRatings } from "./ratings";
import { showReviews } from "./reviews";
import { showSeller } from "./seller";
import {
  clearSummaries,
  clientUrl,
  fetchOk,
  fetchSummary,
  loadPart,
  type Product,
  readJson,
  settings,
  subjectQuery,
  t,
  views,
} from "./service";
import { openForm } from "./write";

// The script of a store's page. The page calls it by `candor.push([command, …])`, before or after it has loaded, or
// only by attributes of the script element and of the containers.

type Command = [name: string, ...values: unknown[]];
type Queue = { push: (...commands: Command[]) => void; ready?: boolean };
/** Renders the loaded content. */
type Draw = () => unknown;
type Section = (host: HTMLElement, about: Product) => Promise<Draw | undefined>;
type Page = { candor?: Queue | Command[]; testFreaks?: unknown[] };

let product: Product = {};
/** Increased by `reset`: content requested before it isn't shown any more. */
let generation = 0;
/** The product's structured data in the page's head. */
let structuredDataElement: HTMLElement | undefined;

/** The containers of a section: by id, or any number of them by attribute. */
const places = (section: string) => [
  ...document.querySelectorAll<HTMLElement>(
    section === "structured_data" ? "head" : `#candor-${section},[data-candor="${section}"]`,
  ),
];

/** A container can name its own product. */
const productAt = ({ dataset }: HTMLElement): Product =>
  dataset.productId || dataset.familyId
    ? { id: dataset.productId, family: dataset.familyId, name: dataset.productName }
    : product;

const scrollToReviews = () => places("reviews")[0]?.scrollIntoView({ behavior: "smooth" });

async function badge(host: HTMLElement, about: Product): Promise<Draw> {
  const { your_review_count: count, your_avg_score: mean } = await fetchSummary(about);
  const within = line(
    h(
      "button",
      {
        type: "button",
        class: "badge",
        onclick: () =>
          (about.onBadgeClick ?? product.onBadgeClick ?? (count ? scrollToReviews : () => openForm(within, about)))(),
      },
      views.rating(mean, count, count ? undefined : t("first")),
    ),
  );
  return () => show(host, within);
}

async function writeButton(host: HTMLElement, about: Product): Promise<Draw> {
  const within: HTMLElement = line(
    h("button", { type: "button", class: "primary", onclick: () => openForm(within, about) }, t("write")),
  );
  return () => show(host, within);
}

/** Stars of all products of a listing, in few calls. Products without reviews show none. */
const showStars = (hosts: HTMLElement[]): Promise<void> =>
  fetchRatings(
    hosts.flatMap(({ dataset: { productId } }) => (productId ? `${new URLSearchParams({ key: productId })}` : [])),
    ({ key, your_review_count: count, your_avg_score: mean }) => {
      for (const host of hosts)
        if (host.dataset.productId === key)
          if (count)
            show(
              host,
              line(h("span", { class: "badge" }, views.stars(mean ?? 0), h("span", { class: "count" }, `(${count})`))),
            );
          else host.shadowRoot?.replaceChildren();
    },
  );

/** Adds structured data for search engines; nothing for a product without reviews. */
async function structuredData(head: HTMLElement, about: Product): Promise<Draw> {
  const text = await (await fetchOk(clientUrl("product.jsonld", subjectQuery(about)))).text();
  return () => {
    structuredDataElement?.remove();
    structuredDataElement = h("script", { type: "application/ld+json" }, text);
    if (text) head.append(structuredDataElement);
    return structuredDataElement;
  };
}
const sections = {
  badge,
  reviews: showReviews,
  questions: showQuestions,
  seller: showSeller,
  write: writeButton,
  structured_data: structuredData,
};

/** Milliseconds between attempts to load a module. */
const MAX_PAUSE = 300_000;

const warn = (error: unknown) => console.warn("candor:", error);

async function load(names: string[]): Promise<void> {
  await parsed();
  const startGeneration = generation;
  for (const name of names) {
    const section = (sections as Record<string, Section>)[name];
    if (name === "stars") showStars(places(name)).catch(warn);
    else if (!section) warn(`there is no section ${name}`);
    else
      for (const host of places(name))
        section(host, productAt(host))
          .then((draw) => startGeneration === generation && draw?.())
          .catch(warn);
  }
}

/** A command that sets a value of the page's product. */
const set = (name: keyof Product) => (value: unknown) => {
  product = { ...product, [name]: value };
};

const commands: Record<string, (value?: unknown) => void> = {
  setProductId: set("id"),
  setFamilyId: set("family"),
  setProductName: set("name"),
  load: (names) => void load([names].flat() as string[]),
  onBadgeClick: set("onBadgeClick"),
  write: () => {
    const within = h("div", { class: "candor", lang: settings.lang });
    const host = document.body.appendChild(h("div"));
    show(host, within);
    within.addEventListener("close", () => host.remove(), true);
    void openForm(within, product);
  },
  reset: () => {
    generation += 1;
    product = {};
    clearSummaries();
    structuredDataElement?.remove();
    for (const name of Object.keys(sections))
      if (name !== "seller") for (const host of places(name)) host.shadowRoot?.replaceChildren();
  },
};

/**
 * Shared code for the module that honours a hosted service's markup and calls: a tuple, since names add weight. Append
 * only: a cached script gets the newest module.
 */
const tools = [
  h,
  settings,
  views,
  show,
  sections,
  clientUrl,
  readJson,
  fetchSummary,
  clearSummaries,
  fetchRatings,
  pagedList,
] as const;
export type CompatTools = typeof tools;

const page = window as Page;
const earlierCommands = page.candor;
// Runs once, even if the page includes the script twice.
if (!(earlierCommands && "ready" in earlierCommands)) {
  const push = (...newCommands: Command[]) => {
    for (const [name, value] of newCommands) {
      if (commands[name]) commands[name](value);
      else warn(`there is no command ${name}`);
    }
  };
  page.candor = { push, ready: true };
  const dataset = document.currentScript?.dataset ?? ({} as DOMStringMap);
  product = { id: dataset.productId, family: dataset.familyId, name: dataset.productName };
  if (dataset.load) push(["load", dataset.load.split(/[\s,]+/)]);
  push(...(Array.isArray(earlierCommands) ? earlierCommands : []));

  // Pages made for a hosted service: the module that honours their markup and calls is loaded at the first sign of them.
  page.testFreaks ??= [];
  const queue = page.testFreaks;
  const waiting: unknown[] = [];
  let hasStarted = false;
  const startCompat = (...given: unknown[]) => {
    waiting.push(...given);
    if (!hasStarted) loadCompat(1_000);
    hasStarted = true;
  };
  /** Loads the module. After a failure, the commands wait for another attempt after `pause` milliseconds. */
  const loadCompat = (pause: number): Promise<void> =>
    loadPart<{ start: typeof start }>("compat.js")
      .then(
        (part) => part.start(tools, queue, waiting),
        (error) => {
          warn(error);
          setTimeout(loadCompat, pause, Math.min(2 * pause, MAX_PAUSE));
        },
      )
      .catch(warn);
  queue.push = startCompat as unknown as typeof queue.push;
  void parsed().then(() => (queue[0] || document.querySelector("[id^=testfreaks-],.testfreaks-item")) && startCompat());
}
