import type { ClientRow } from "@/lib/clients/get-client";
import type { Fault } from "@/lib/errors";
import { optOutLink } from "@/lib/invitations/links";
import { type AskedItem, invitationValues, type Recipient } from "@/lib/invitations/render-invitation";
import { sampleItems, sampleRecipient } from "@/lib/invitations/sample";
import { type Format, renderLiquid, variablesOf } from "@/lib/mail/liquid";

/** Milliseconds that a sample may take, at its best: well below those at which a mail is given up. */
const SLOW_MS = 60;

const templates = [
  ["subject", "text"],
  ["html_template", "html"],
  ["text_template", "text"],
] as const satisfies [keyof ClientRow["config"] & string, Format][];

/**
 * What is wrong with a client's own mail templates: they are filled in as for several mails, from one item with a
 * picture to more than a mail shows, without a name, the reminder, and about the shop alone. Each must work out in time,
 * say how to unsubscribe (in HTML as a link) and lead to the form. Nothing is wrong with templates that are not set.
 */
export function templateFaults(client: ClientRow): Fault[] {
  return templates.flatMap(([name, format]) => {
    const template = client.config[name];
    if (typeof template !== "string" || template.trim() === "") return [];
    const found = faultOf(client, name, format, template);
    return found ? [{ field: `config.${name}`, message: found }] : [];
  });
}

function faultOf(client: ClientRow, name: string, format: Format, template: string): string | null {
  for (const { is, values } of samples(client)) {
    let made: string;
    let took: number;
    try {
      [made, took] = timed(() => renderLiquid(format, template, { ...values, format }));
    } catch (error) {
      return `cannot be filled in for ${is}: ${(error as Error).message.split("\n")[0]}`;
    }
    if (took > SLOW_MS) return `takes too long to fill in for ${is}: ${Math.round(took)} ms, at most ${SLOW_MS}`;
    if (name === "subject") {
      if (made.trim() === "") return `must not be empty for ${is}`;
      continue;
    }
    const stop = optOutLink(client.id, values.email_hash);
    if (format === "html" ? !linksOf(made).some((link) => link.startsWith(stop)) : !made.includes(stop))
      return `must ${format === "html" ? "link to" : "name"} {{ opt_out_url }}, so that everybody can unsubscribe; it does not for ${is}`;
    if (!made.includes(values.review_url))
      return `must lead to the review form: {{ review_url }}; it does not for ${is}`;
  }
  return null;
}

/** Where an HTML text links to. */
const linksOf = (html: string): string[] =>
  [...html.matchAll(/<a\b[^>]*?\bhref\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>]+))/gi)].map(
    ([, double, single, bare]) => double ?? single ?? bare ?? "",
  );

/** What came of the work, and the time of the better of two tries: the first one reads the template. */
function timed<T>(work: () => T): [T, number] {
  const times: number[] = [];
  let result: T;
  do {
    const began = performance.now();
    result = work();
    times.push(performance.now() - began);
  } while (times.length < 3 && Math.min(...times) > SLOW_MS);
  return [result, Math.min(...times)];
}

function samples(client: ClientRow) {
  const recipient = sampleRecipient(client, null);
  const picture = "https://shop.example/lamp.jpg";
  const [one] = sampleItems(1) as [AskedItem];
  const several: [is: string, items: AskedItem[], to: Recipient][] = [
    ["one item", [{ ...one, image_url: picture }], recipient],
    ["several items", sampleItems(3), { ...recipient, name: null }],
    ["more items than a mail shows", sampleItems(60), recipient],
    ["a reminder", sampleItems(1), { ...recipient, reminder: true }],
    ["a mail about the shop alone", [], recipient],
  ];
  return several.map(([is, items, to]) => ({
    is,
    values: { ...invitationValues(client, to, items), email_hash: recipient.email_hash },
  }));
}

/** Names in a client's templates that mean nothing, as after a slip of the pen: they are filled in with nothing. */
export function unknownVariables(client: ClientRow): { template: string; name: string }[] {
  const values = samples(client)[0]?.values ?? {};
  return templates.flatMap(([name]) => {
    const template = client.config[name];
    if (typeof template !== "string") return [];
    return variablesOf(template)
      .filter((variable) => !(variable in values) && variable !== "format")
      .map((variable) => ({ template: name, name: variable }));
  });
}
