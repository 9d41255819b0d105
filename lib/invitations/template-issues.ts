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
import { type Language, languageOf, languages } from "@/lib/platform/i18n/languages";
import type { Issue } from "@/lib/platform/issue";
import type { Part } from "@/lib/platform/mail/liquid-thread.mjs";
import { renderInWorker, variablesOf } from "@/lib/platform/mail/liquid-worker";
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
    if (found) issues.push({ field: own.field, ...found });
  }
  return issues;
}

async function issueOf(client: ClientRow, own: Own, clock: { left: number }): Promise<Omit<Issue, "field"> | null> {
  const format = mailParts[own.part];
  for (const { sample, values } of samplesFor(client, own)) {
    if (clock.left <= 0) return { reason: "templates_too_slow" };
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
        ? { reason: "template_too_slow", params: { ...sample, max: SLOW_MS } }
        : { reason: "template_fails", params: { ...sample, said } };
    }
    if (own.part === "subject") {
      if (made.trim() === "") return { reason: "subject_empty", params: sample };
      continue;
    }
    const stop = optOutLink(client.id, values.email_hash);
    if (format === "html" ? !linksOf(made).some((link) => link.startsWith(stop)) : !made.includes(stop))
      return { reason: format === "html" ? "opt_out_link_missing" : "opt_out_address_missing", params: sample };
    if (!made.includes(values.review_url)) return { reason: "review_link_missing", params: sample };
  }
  return null;
}

/** Throws what the template is at fault for, other than its time. */
async function tryOnce(part: Part, most: number): Promise<Try> {
  const made = await renderInWorker("trials", part, { left: most });
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
        .map(({ sample, values }) => ({ sample: { ...sample, language: other }, values })),
    ),
  ];
}

function samples(client: ClientRow, language: Language) {
  const recipient = sampleRecipient(client, language);
  const picture = "https://shop.example/lamp.jpg";
  const [one] = sampleItems(1) as [AskedItem];
  const several: [mail: string, items: AskedItem[], to: Recipient][] = [
    ["one", [{ ...one, image_url: picture }], recipient],
    ["several", sampleItems(3), { ...recipient, name: null }],
    ["many", sampleItems(60), recipient],
    ["reminder", sampleItems(1), { ...recipient, reminder: true }],
    ["seller", [], recipient],
  ];
  return several.map(([mail, items, to]) => ({
    // as the catalogue names them
    sample: { mail, language: "none" },
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
