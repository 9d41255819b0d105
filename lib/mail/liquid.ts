import { Liquid, type Template } from "liquidjs";
import { LRUCache } from "lru-cache";
import { perProcess } from "@/lib/db/process";

export type Format = "html" | "text";

/** Milliseconds that a template may take. It runs in the process that answers requests, and holds them up meanwhile. */
export const MOST_MS = 250;

/** Characters of templates that are kept as they were read. */
const KEPT_CHARACTERS = 1_000_000;

// A template is a client's own text: it reads no files (templates come from memory only, and there are none), sees no
// inherited properties, and cannot run or grow without end.
const bounds = {
  templates: {},
  ownPropertyOnly: true,
  strictFilters: true,
  renderLimit: MOST_MS,
  parseLimit: 200_000,
  memoryLimit: 5_000_000,
};

const engines = () =>
  perProcess("liquid", () => {
    const html = new Liquid({ ...bounds, outputEscape: "escape" });
    // Values are escaped already; templates written for engines that do not escape say so once more.
    for (const name of ["escape", "escape_once", "h"]) html.registerFilter(name, (value: unknown) => value);
    // A client's mails of one run share their templates: reading them takes longer than filling them in. What is read takes
    // many times the memory of its text, and an editor's preview brings another text with every word typed.
    const parsed = new LRUCache<string, Template[]>({
      maxSize: KEPT_CHARACTERS,
      sizeCalculation: (_, key) => key.length,
    });
    return { html, text: new Liquid(bounds), parsed };
  });

/** Characters of what a template makes: mail programs cut a text off long before, and every mail of a client is stored. */
const MOST_RENDERED = 1_000_000;

/**
 * Renders a Liquid template, in `most` milliseconds at the longest. In `html` every value is escaped unless it says
 * `| raw`. Throws what the template is at fault for.
 */
export function renderLiquid(format: Format, template: string, values: object, most = MOST_MS): string {
  const { parsed, [format]: engine } = engines();
  const key = `${format}:${template}`;
  const read = parsed.get(key) ?? engine.parse(template);
  parsed.set(key, read);
  const rendered: string = engine.renderSync(read, values, {
    renderLimit: most,
  });
  if (rendered.length > MOST_RENDERED)
    throw new RangeError(`A template must not make more than ${MOST_RENDERED} characters.`);
  return rendered;
}

/** The names of variables that a template asks for, without those it sets itself. Throws as {@link renderLiquid}. */
export const variablesOf = (template: string): string[] => engines().text.globalVariablesSync(template);
