import type { SellerList, Summary } from "../types";
import {
  addAlternatives,
  type CompatCommandName,
  type CompatSection,
  commandsWithoutEffect,
  readCommand,
  readIds,
  readSections,
} from "./compat-commands";
import type { CompatTools } from "./main";
import { parsed } from "./parsed";
import type { Product } from "./service";

// Honors the markup and calls of pages made for a hosted service, with the widget's own views: a separate module, loaded
// where a page has such markup or calls.

type Callback = (data?: Summary) => void;
type Draw = () => unknown;

/** What a page set for its containers of a context; the name of the context without a name is "". */
type Context = {
  name: string;
  ids: string[];
  families: string[];
  callbacks: Map<string, Callback>;
  /** whether the page wants structured data */
  wantsSchema: boolean;
  structuredData?: Element | undefined;
  /** increased by `reset`: content requested before it isn't shown any more */
  generation: number;
};

const callbackNames = ["onData", "onReviews", "onNoReviews", "onQA", "onNoQA", "onBadgeClick"];
/** Elements that can have a shadow tree. Into others, the content goes in a child. */
const HOSTS = "article,aside,blockquote,div,footer,h1,h2,h3,h4,h5,h6,header,main,nav,p,section,span";
const LOADED = "testfreaks-loaded";
const SECTION_LOADED = "testfreaks-section-loaded";
const MAX_SELLER_REVIEWS = 100;
/** A page may push wrong commands for as long as it is open. */
const MAX_HINTS = 50;

let started = false;

/**
 * Runs the page's commands: first those it queued, then `given`, and from then on each as it is pushed, also to `given`:
 * the page may have kept the `push` that adds to it. Scripts of the last release call this for each command.
 */
export function start(tools: CompatTools, queue: unknown[], given: unknown[]): void {
  if (started) return void queue.push(...given);
  started = true;
  const run = commandRunner(tools);
  // The page may have given the name to something else.
  const first = [...(Array.isArray(queue) ? queue : []), ...given];
  let loads = false;
  queue.push = given.push = (...commands) => {
    for (const command of commands) {
      loads ||= /^(load|reset)$/.test(readCommand(command)?.name ?? "");
      run(command);
    }
    return commands.length;
  };
  queue.push(...first);
  // A page that doesn't load anything itself has only markup. Once its other scripts have run.
  void parsed().then(() => setTimeout(() => loads || run(["load"])));
}

function commandRunner([
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
]: CompatTools): (command: unknown) => void {
  const { t } = views;
  const contexts = new Map<string, Context>();
  const hints = new Set<string>();
  /** The product that the structured data was last requested of: a page has that of one product. */
  let schemaRequest: Product | undefined;
  /** What was last requested for a container: what arrives later isn't shown. */
  const requested = new WeakMap<HTMLElement, Product>();
  const productSections = { badge: sections.badge, reviews: sections.reviews, qa: sections.questions };

  const warn = (error: unknown) => console.warn("candor:", error);
  /** Each text once. */
  function hint(text: string) {
    if (hints.has(text) || hints.size >= MAX_HINTS) return;
    hints.add(text);
    console.info(`candor: ${text}`);
  }

  function contextOf(name: string): Context {
    const known = contexts.get(name);
    if (known) return known;
    const context: Context = {
      name,
      ids: [],
      families: [],
      callbacks: new Map(),
      wantsSchema: false,
      generation: 0,
    };
    contexts.set(name, context);
    return context;
  }

  const callbackOf = (context: Context, name: string) =>
    context.callbacks.get(name) ?? contextOf("").callbacks.get(name);

  /** A callback that fails must not stop anything else. It gets its own copy of the data. */
  function callBack(context: Context, name: string, data?: Summary) {
    try {
      callbackOf(context, name)?.(structuredClone(data));
    } catch (error) {
      warn(error);
    }
  }

  function setCallback(context: Context, name: string, callback: unknown) {
    if (!callbackNames.includes(name)) hint(`there is no option ${name}`);
    else if (typeof callback === "function") context.callbacks.set(name, callback as Callback);
    else context.callbacks.delete(name);
  }

  /** The containers of a section. A page may repeat an id. */
  const containersOf = (section: string, { name }: Context) => [
    ...document.querySelectorAll<HTMLElement>(`[id="testfreaks-${section}${name && `-${CSS.escape(name)}`}"]`),
  ];

  const childHost = (container: HTMLElement) => container.querySelector<HTMLElement>(":scope > .candor-host");
  /** The element that shows a container's content. */
  const hostOf = (container: HTMLElement): HTMLElement =>
    container.matches(HOSTS) || container.localName.includes("-")
      ? container
      : (childHost(container) ?? container.appendChild(h("span", { class: "candor-host" })));

  /** A line in a container within a text doesn't break the text. */
  function fitInline(container: HTMLElement) {
    const content = hostOf(container).shadowRoot?.querySelector<HTMLElement>(".line");
    if (content && getComputedStyle(container).display === "inline") content.style.display = "inline-flex";
  }

  function markLoaded(container: HTMLElement, isLoaded: boolean) {
    container.classList.toggle(LOADED, isLoaded);
    const section = container.closest(".testfreaks-section");
    section?.classList.toggle(SECTION_LOADED, isLoaded || section.querySelector(`.${LOADED}`) !== null);
  }

  function clear(container: HTMLElement) {
    requested.delete(container);
    (childHost(container) ?? container).shadowRoot?.replaceChildren();
    markLoaded(container, false);
  }

  /** The product with these ids. Of several, the summary is that of the first that has reviews. */
  function productOf({ ids, families }: Pick<Context, "ids" | "families">): Product | undefined {
    const [id, family] = [ids[0], families[0]];
    if (!id && !family) return undefined;
    if (ids.length < 2 && families.length < 2) return { id, family };
    const summaryUrl = addAlternatives(clientUrl("reviews.json", { key: id, url_key: family }), ids, families);
    return { id, family, summaryUrl };
  }

  /** The product that is shown, a copy. Of several ids, the summary's links name the one that it found. */
  async function shownProduct(about: Product): Promise<Product> {
    if (!about.summaryUrl) return { ...about };
    const { searchParams } = new URL((await fetchSummary(about)).write_review_url);
    return { ...about, id: searchParams.get("key") ?? undefined, family: searchParams.get("url_key") ?? undefined };
  }

  /** The product that a container names itself. */
  const productAt = ({ dataset: { productId, familyId } }: HTMLElement): Product | undefined =>
    productOf({ ids: readIds(productId), families: readIds(familyId) });

  async function load(context: Context, wanted: CompatSection[]) {
    // As the commands before it left them: those after it run while the page is still being read.
    const { generation } = context;
    const named = productOf(context) ?? productOf(contextOf(""));
    await parsed();
    if (wanted.includes("items")) showItems().catch(warn);
    if (wanted.includes("seller"))
      for (const container of containersOf("seller", context)) showSeller(container).catch(warn);
    if (context.generation !== generation) return;
    const parts = (["badge", "reviews", "qa"] as const).filter((name) => wanted.includes(name));
    const containers = parts.flatMap((name) => containersOf(name, context).map((container) => ({ name, container })));
    const about = named ?? containers.flatMap(({ container }) => productAt(container) ?? [])[0];
    if (!about) {
      if (containers.length > 0) hint("no product is set");
      return;
    }
    for (const { name, container } of containers)
      showProduct(context, container, productSections[name], productAt(container) ?? about).catch(warn);
    if (parts.length > 0) callBackWithData(context, generation, about, wanted).catch(warn);
    if (parts.length > 0 && context.wantsSchema) showStructuredData(context, generation, about).catch(warn);
  }

  async function showProduct(
    context: Context,
    container: HTMLElement,
    section: (host: HTMLElement, about: Product) => Promise<Draw>,
    product: Product,
  ) {
    requested.set(container, product);
    const { your_review_count: count } = await fetchSummary(product);
    const about = await shownProduct(product);
    Object.defineProperty(about, "onBadgeClick", { get: () => badgeClick(context, count) });
    const host = hostOf(container);
    const draw = await section(host, about);
    if (requested.get(container) !== product) return;
    draw();
    fitInline(container);
    markLoaded(container, true);
  }

  /** What a click on the badge does, at the time of the click. Undefined: what the widget does. */
  function badgeClick(context: Context, count: number): (() => void) | undefined {
    if (callbackOf(context, "onBadgeClick")) return () => callBack(context, "onBadgeClick");
    const reviews = containersOf("reviews", context)[0] ?? containersOf("reviews", contextOf(""))[0];
    return count && reviews ? () => reviews.scrollIntoView({ behavior: "smooth" }) : undefined;
  }

  async function callBackWithData(context: Context, generation: number, about: Product, wanted: CompatSection[]) {
    const summary = await fetchSummary(about);
    if (context.generation !== generation) return;
    callBack(context, "onData", summary);
    if (wanted.includes("badge") || wanted.includes("reviews"))
      callBack(context, summary.your_review_count ? "onReviews" : "onNoReviews", summary);
    if (wanted.includes("qa")) callBack(context, summary.your_question_count ? "onQA" : "onNoQA", summary);
  }

  async function showStructuredData(context: Context, generation: number, about: Product) {
    schemaRequest = about;
    const draw = await sections.structured_data(document.head, await shownProduct(about));
    if (context.generation === generation && schemaRequest === about) context.structuredData = draw() as Element;
  }

  /** Stars of a listing, by family where one is given: its products share their reviews. */
  async function showItems() {
    const query = (subject: Record<string, string>) => `${new URLSearchParams(subject)}`;
    const containers = new Map<string, HTMLElement[]>();
    for (const container of document.querySelectorAll<HTMLElement>(".testfreaks-item")) {
      const { id, family } = productAt(container) ?? {};
      const subject = family ? query({ url_key: family }) : id ? query({ key: id }) : null;
      if (subject) containers.set(subject, [...(containers.get(subject) ?? []), container]);
    }
    await fetchRatings([...containers.keys()], ({ key, url_key, your_review_count: count, your_avg_score: mean }) => {
      for (const container of containers.get(query(url_key === null ? { key: key as string } : { url_key })) ?? []) {
        if (count === 0) {
          clear(container);
          continue;
        }
        const showsMean = !["false", "no", "0"].includes(container.dataset.showRating ?? "no");
        const [stars, figure] = views.rating(mean, count);
        show(
          hostOf(container),
          h(
            "div",
            { class: "candor line", lang: settings.lang },
            h("span", { class: "badge" }, stars, showsMean && figure, h("span", { class: "count" }, `(${count})`)),
          ),
        );
        fitInline(container);
        markLoaded(container, true);
      }
    });
  }

  /** The store's rating: on one line (`badge`), with the newest reviews (`sidebar`), or with all (`content`). */
  async function showSeller(container: HTMLElement) {
    const { mode = "badge", reviewLimit } = container.dataset;
    const host = hostOf(container);
    let draw: Draw | undefined;
    if (mode === "content" || mode === "sidebar") draw = await sellerSection(host, mode, Number(reviewLimit));
    else {
      if (mode !== "badge") hint(`there is no mode ${mode}`);
      draw = await sections.seller(host);
    }
    draw?.();
    fitInline(container);
    markLoaded(container, draw !== undefined);
  }

  async function sellerSection(
    host: HTMLElement,
    mode: "content" | "sidebar",
    limit: number,
  ): Promise<Draw | undefined> {
    const count = limit >= 1 ? Math.min(Math.floor(limit), MAX_SELLER_REVIEWS) : mode === "content" ? 10 : 3;
    const first = await readJson<SellerList>(clientUrl("seller_reviews.json", { limit: `${count}` }));
    if (first.review_count === 0) return undefined;
    const { list, more, status, add } = pagedList<SellerList>(t("moreSeller"), ({ seller_reviews }) =>
      seller_reviews.map(views.sellerReview),
    );
    const content = views.section(
      t("seller", { shop: settings.shop }),
      h("p", { class: "badge" }, views.sellerLine(first)),
      list,
      status,
      mode === "content" && more,
    );
    return () => show(host, content, () => add(first));
  }

  function reset(context: Context) {
    context.generation += 1;
    context.ids = context.families = [];
    context.structuredData?.remove();
    clearSummaries();
    for (const name of Object.keys(productSections))
      for (const container of containersOf(name, context)) clear(container);
    // A page open for long may name a context per product.
    if (context.name && context.callbacks.size === 0 && !context.wantsSchema) contexts.delete(context.name);
  }

  const runs: Record<CompatCommandName, (context: Context, value: unknown) => void> = {
    setProductId: (context, value) => {
      context.ids = readIds(value);
    },
    setFamilyId: (context, value) => {
      context.families = readIds(value);
    },
    load: (context, value) => {
      const { known, unknown } = readSections(value);
      for (const section of unknown) hint(`there is no section ${section}`);
      load(context, known).catch(warn);
    },
    // Without a context: everything.
    reset: (context) => (context.name ? [context] : [...contexts.values()]).forEach(reset),
    onBadgeClick: (context, value) => setCallback(context, "onBadgeClick", value),
    setOptions: (context, value) => {
      for (const [option, callback] of Object.entries(value ?? {})) setCallback(context, option, callback);
    },
    setAggregateRatingSchema: (context, value) => {
      context.wantsSchema = value === undefined || (Boolean(value) && value !== "false");
    },
  };

  function run({ context, name, value }: NonNullable<ReturnType<typeof readCommand>>) {
    if (Object.hasOwn(runs, name)) runs[name as CompatCommandName](contextOf(context), value);
    else hint(commandsWithoutEffect.includes(name) ? `${name} has no effect` : `there is no command ${name}`);
  }

  return (given) => {
    try {
      const command = readCommand(given);
      if (command) run(command);
      else hint("a command must be an array that starts with its name");
    } catch (error) {
      warn(error);
    }
  };
}
