import { Parser } from "htmlparser2";
import type { ClientRow } from "@/lib/accounts/stores/get-client";
import { optOutLink } from "@/lib/invitations/links";
import {
  type AskedItem,
  invitationValues,
  type MailPart,
  mailParts,
  ownTemplate,
  type Recipient,
} from "@/lib/invitations/render-invitation";
import { sampleItems, sampleRecipient } from "@/lib/invitations/sample";
import type { Issue } from "@/lib/platform/errors";
import { type Language, languageOf, languages } from "@/lib/platform/i18n/languages";
import { renderApart, variablesOf } from "@/lib/platform/mail/liquid-apart";
import type { Part } from "@/lib/platform/mail/liquid-thread.mjs";
import { isTooSlow, type Try, withinWork } from "@/lib/platform/mail/within-work";

/** Milliseconds of the processor that a sample may take, at its best: well below those at which a mail is given up. */
const SLOW_MS = 60;
/** The same for all samples of all templates together; of those that are given up by the clock. */
const ALL_MS = 4_000;

const parts = Object.keys(mailParts) as MailPart[];

/** A template as it is set: for one language, or for all that have none of their own (null). */
type Own = {
  field: string;
  part: MailPart;
  language: Language | null;
  template: string;
};

function ownTemplates({ config }: Pick<ClientRow, "config">): Own[] {
  return [null, ...languages].flatMap((language) =>
    parts.flatMap((part) => {
      const given = language === null ? config : (config.templates as Record<string, unknown> | undefined)?.[language];
      const template = (given as Record<string, unknown> | undefined)?.[part];
      const field = language === null ? `config.${part}` : `config.templates.${language}.${part}`;
      return typeof template === "string" && template.trim() !== "" ? [{ field, part, language, template }] : [];
    }),
  );
}

/**
 * What is wrong with a client's own mail templates: they are filled in as for several mails, from one item with a
 * picture to more than a mail shows, without a name, the reminder, and about the shop alone, in each language that they
 * are for. Each must work out in time, say how to unsubscribe (in HTML as a link) and lead to the form. Nothing is wrong
 * with templates that are not set. Takes a few seconds at most, and lets other work pass meanwhile.
 */
export async function templateIssues(client: ClientRow): Promise<Issue[]> {
  const issues: Issue[] = [];
  const clock = { left: ALL_MS };
  for (const own of ownTemplates(client)) {
    const found = await issueOf(client, own, clock);
    if (found) issues.push({ field: own.field, message: found });
  }
  return issues;
}

async function issueOf(client: ClientRow, own: Own, clock: { left: number }): Promise<string | null> {
  const format = mailParts[own.part];
  for (const { is, values } of samplesFor(client, own)) {
    if (clock.left <= 0) return "takes too long to fill in, together with the other templates";
    let made: string;
    try {
      made = await withinWork(
        (most) => tryOnce({ format, template: own.template, values: { ...values, format } }, most),
        SLOW_MS,
        clock,
      );
    } catch (error) {
      const [said = ""] = (error as Error).message.split("\n");
      return isTooSlow(error)
        ? `takes too long to fill in for ${is}: at most ${SLOW_MS} ms`
        : `cannot be filled in for ${is}: ${said}`;
    }
    if (own.part === "subject") {
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

/** Throws what the template is at fault for, other than its time. */
async function tryOnce(part: Part, most: number): Promise<Try> {
  const made = await renderApart("trials", part, { left: most });
  if ("text" in made) return { made: made.text, took: made.took };
  const error = new Error(made.fault);
  if (isTooSlow(error)) return { made: null, took: made.took };
  throw error;
}

/** Where an HTML text links to. */
function linksOf(html: string): string[] {
  const links: string[] = [];
  const parser = new Parser({
    onopentag(name, { href }) {
      if (name === "a" && href !== undefined) links.push(href);
    },
  });
  parser.end(html);
  return links;
}

/** All kinds of mails in the template's language; one that is for all is tried in each that it is for. */
function samplesFor(client: ClientRow, { part, language }: Own) {
  if (language !== null) return samples(client, language);
  const usual = languageOf(client.locale);
  const others = languages.filter(
    (other) => other !== usual && !ownTemplate({ templates: client.config.templates }, other, part),
  );
  return [
    ...samples(client, usual),
    ...others.flatMap((other) =>
      samples(client, other)
        .slice(0, 1)
        .map(({ is, values }) => ({ is: `${is} (${other})`, values })),
    ),
  ];
}

function samples(client: ClientRow, language: Language) {
  const recipient = sampleRecipient(client, language);
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
    values: {
      ...invitationValues(client, to, items),
      email_hash: recipient.email_hash,
    },
  }));
}

/** Names in a client's templates that mean nothing, as after a slip of the pen: they are filled in with nothing. */
export async function unknownVariables(client: ClientRow): Promise<{ template: string; name: string }[]> {
  const values = samples(client, languageOf(client.locale))[0]?.values ?? {};
  const unknown = await Promise.all(
    ownTemplates(client).map(async ({ field, template }) =>
      (await variablesOf(template))
        .filter((variable) => !(variable in values) && variable !== "format")
        .map((variable) => ({
          template: field.replace(/^config\./, ""),
          name: variable,
        })),
    ),
  );
  return unknown.flat();
}
