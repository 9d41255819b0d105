import type { Ratings } from "../types";
import { h } from "./dom";
import { show } from "./host";
import { showQuestions } from "./questions";
import { showReviews } from "./reviews";
import { showSeller } from "./seller";
import {
  clearSummaries,
  clientUrl,
  fetchSummary,
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
type Draw = () => void;
type Page = { candor?: Queue | Command[] };

let product: Product = {};
/** Increased by `reset`: content requested before it isn't shown any more. */
let generation = 0;
let onBadgeClick: (() => void) | null = null;
/** The product's structured data in the page's head. */
let structuredDataElement: HTMLElement | undefined;

/** Most products per call, and most characters of its URL, whose length servers limit. */
const MAX_RATINGS = 100;
const MAX_URL_LENGTH = 4000;

/** The containers of a section: by id, or any number of them by attribute. */
const places = (section: string) => [
  ...document.querySelectorAll<HTMLElement>(`#candor-${section},[data-candor="${section}"]`),
];

/** A container can name its own product. */
const productAt = ({ dataset }: HTMLElement): Product =>
  dataset.productId || dataset.familyId
    ? { id: dataset.productId, family: dataset.familyId, name: dataset.productName }
    : product;

const scrollToReviews = () => places("reviews")[0]?.scrollIntoView({ behavior: "smooth" });

async function badge(host: HTMLElement, about: Product): Promise<Draw> {
  const { your_review_count: count, your_avg_score: mean } = await fetchSummary(about);
  const line = h(
    "button",
    {
      type: "button",
      class: "badge",
      onclick: () => (onBadgeClick ?? (count ? scrollToReviews : () => openForm(within, about)))(),
    },
    views.rating(mean, count, count ? undefined : t("first")),
  );
  const within = h("div", { class: "candor line", lang: settings.lang }, line);
  return () => show(host, within);
}

async function writeButton(host: HTMLElement, about: Product): Promise<Draw> {
  const within: HTMLElement = h(
    "div",
    { class: "candor line", lang: settings.lang },
    h("button", { type: "button", class: "primary", onclick: () => openForm(within, about) }, t("write")),
  );
  return () => show(host, within);
}

/** Stars of all products of a listing, in few calls. Products without reviews show none. */
async function showStars(hosts: HTMLElement[]): Promise<void> {
  const ids = [...new Set(hosts.flatMap(({ dataset }) => dataset.productId ?? []))];
  for (let from = 0; from < ids.length; ) {
    const query = new URLSearchParams();
    for (let n = 0; from < ids.length && n < MAX_RATINGS && `${query}`.length < MAX_URL_LENGTH; n += 1)
      query.append("key", ids[from++] as string);
    const { ratings } = await readJson<Ratings>(`${clientUrl("ratings.json")}?${query}`);
    for (const { key, your_review_count: count, your_avg_score: mean } of ratings)
      for (const host of hosts)
        if (host.dataset.productId === key)
          if (count)
            show(
              host,
              h(
                "div",
                { class: "candor line", lang: settings.lang },
                h("span", { class: "badge" }, views.stars(mean ?? 0), h("span", { class: "count" }, `(${count})`)),
              ),
            );
          else host.shadowRoot?.replaceChildren();
  }
}

/** Adds structured data for search engines; nothing for a product without reviews. */
async function addStructuredData(): Promise<void> {
  const startGeneration = generation;
  const answer = await fetch(clientUrl("product.jsonld", subjectQuery(product)), { credentials: "omit" });
  const text = answer.status === 200 && (await answer.text());
  if (startGeneration !== generation) return;
  structuredDataElement?.remove();
  if (!text) return;
  structuredDataElement = h("script", { type: "application/ld+json" }, text);
  document.head.append(structuredDataElement);
}

const sections: Record<string, (host: HTMLElement, about: Product) => Promise<Draw | undefined>> = {
  badge,
  reviews: showReviews,
  questions: showQuestions,
  seller: showSeller,
  write: writeButton,
};

async function load(names: string[]): Promise<void> {
  if (document.readyState === "loading") await new Promise((go) => addEventListener("DOMContentLoaded", go));
  const startGeneration = generation;
  const warn = (error: unknown) => console.warn("candor:", error);
  for (const name of names) {
    if (name === "stars") showStars(places(name)).catch(warn);
    else if (name === "structured_data") addStructuredData().catch(warn);
    else if (!sections[name]) warn(`there is no section ${name}`);
    else
      for (const host of places(name))
        sections[name]?.(host, productAt(host))
          .then((draw) => startGeneration === generation && draw?.())
          .catch(warn);
  }
}

const commands: Record<string, (value?: unknown) => void> = {
  setProductId: (id) => {
    product = { ...product, id: String(id) };
  },
  setFamilyId: (family) => {
    product = { ...product, family: String(family) };
  },
  setProductName: (name) => {
    product = { ...product, name: String(name) };
  },
  load: (names) => void load([names].flat() as string[]),
  onBadgeClick: (act) => {
    onBadgeClick = act as () => void;
  },
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
    onBadgeClick = null;
    clearSummaries();
    structuredDataElement?.remove();
    for (const name of Object.keys(sections))
      if (name !== "seller") for (const host of places(name)) host.shadowRoot?.replaceChildren();
  },
};

const page = window as Page;
const earlierCommands = page.candor;
// Runs once, even if the page includes the script twice.
if (!(earlierCommands && "ready" in earlierCommands)) {
  const push = (...newCommands: Command[]) => {
    for (const [name, value] of newCommands) {
      if (commands[name]) commands[name](value);
      else console.warn(`candor: there is no command ${name}`);
    }
  };
  page.candor = { push, ready: true };
  const { dataset } = document.currentScript ?? { dataset: {} as DOMStringMap };
  product = { id: dataset.productId, family: dataset.familyId, name: dataset.productName };
  if (dataset.load) push(["load", dataset.load.split(/[\s,]+/)]);
  push(...(Array.isArray(earlierCommands) ? earlierCommands : []));
}
