import { Liquid } from "liquidjs";
import { perProcess } from "@/lib/db/process";

export type Format = "html" | "text";

// A template is a client's own text: it reads no files (templates come from memory only, and there are none), sees no
// inherited properties, and cannot run or grow without end.
const bounds = {
  templates: {},
  ownPropertyOnly: true,
  renderLimit: 1_000,
  parseLimit: 500_000,
  memoryLimit: 50_000_000,
};

const engines = () =>
  perProcess("liquid", () => {
    const html = new Liquid({ ...bounds, outputEscape: "escape" });
    // Values are escaped already; templates written for engines that do not escape say so once more.
    for (const name of ["escape", "escape_once", "h"]) html.registerFilter(name, (value: unknown) => value);
    return { html, text: new Liquid(bounds) };
  });

/** Characters of what a template makes: mail programs cut a text off long before, and every mail of a client is stored. */
const MOST_RENDERED = 1_000_000;

/** Renders a Liquid template. In `html` every value is escaped unless it says `| raw`. Throws what the template is at fault for. */
export function renderLiquid(format: Format, template: string, values: object): string {
  const rendered: string = engines()[format].parseAndRenderSync(template, values);
  if (rendered.length > MOST_RENDERED)
    throw new RangeError(`A template must not make more than ${MOST_RENDERED} characters.`);
  return rendered;
}
