import { Parser } from "htmlparser2";
import type { ClientRow } from "@/lib/accounts/stores/get-client";
import { optOutLink } from "@/lib/invitations/links";
import {
  customTemplate,
  type InvitationItem,
  invitationValues,
  type MailPart,
  mailParts,
  type Recipient,
} from "@/lib/invitations/render-invitation";
import { sampleItems, sampleRecipient } from "@/lib/invitations/sample";
import { type Language, languageOf, languages } from "@/lib/platform/i18n/languages";
import type { Issue } from "@/lib/platform/issue";
import type { Part } from "@/lib/platform/mail/liquid-thread.mjs";
import { MAX_RENDER_MS, type RenderResult, renderInWorker, variablesOf } from "@/lib/platform/mail/liquid-worker";

/** Maximum CPU milliseconds of a sample at its best, well below the limit for real emails. */
const MAX_SAMPLE_MS = 60;
/** The same for all samples of all templates together. */
const MAX_TOTAL_MS = 4_000;
/** Attempts of a slow sample: the first also parses the template, and any may include garbage collection. */
const MAX_ATTEMPTS = 3;

const parts = Object.keys(mailParts) as MailPart[];

/** A custom template: for one language, or for all without their own (null). */
type CustomTemplate = {
  field: string;
  part: MailPart;
  language: Language | null;
  template: string;
};

function customTemplates({ config }: Pick<ClientRow, "config">): CustomTemplate[] {
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
 * Returns the issues of a client's email templates. Renders samples in each language: from one item with an image to
 * more than an email shows, without a name, a reminder, and a seller-only invitation. Each must render in time, include
 * the opt-out (in HTML as a link) and link to the form. Unset templates have no issues. Takes a few seconds at most,
 * without blocking other work.
 */
export async function templateIssues(client: ClientRow): Promise<Issue[]> {
  const issues: Issue[] = [];
  const clock = { left: MAX_TOTAL_MS };
  for (const own of customTemplates(client)) {
    const found = await issueOf(client, own, clock);
    if (found) issues.push({ field: own.field, ...found });
  }
  return issues;
}

async function issueOf(
  client: ClientRow,
  own: CustomTemplate,
  clock: { left: number },
): Promise<Omit<Issue, "field"> | null> {
  const format = mailParts[own.part];
  for (const { sample, values } of samplesFor(client, own)) {
    if (clock.left <= 0) return { reason: "templates_too_slow" };
    const result = await renderSample({ format, template: own.template, values: { ...values, format } }, clock);
    if ("error" in result) {
      const [firstLine = ""] = result.error.split("\n");
      return result.isTooSlow
        ? { reason: "template_too_slow", params: { ...sample, max: MAX_SAMPLE_MS } }
        : { reason: "template_fails", params: { ...sample, said: firstLine } };
    }
    const rendered = result.text;
    if (own.part === "subject") {
      if (rendered.trim() === "") return { reason: "subject_empty", params: sample };
      continue;
    }
    const stop = optOutLink(client.id, values.email_hash);
    if (format === "html" ? !linksOf(rendered).some((link) => link.startsWith(stop)) : !rendered.includes(stop))
      return { reason: format === "html" ? "opt_out_link_missing" : "opt_out_address_missing", params: sample };
    if (!rendered.includes(values.review_url)) return { reason: "review_link_missing", params: sample };
  }
  return null;
}

/** Repeats a slow attempt, unless it exceeded the CPU time for real emails. Deducts the time of all from `clock.left`. */
async function renderSample(part: Part, clock: { left: number }): Promise<RenderResult> {
  for (let attempt = 1; ; attempt += 1) {
    const result = await renderInWorker("trials", part);
    clock.left -= result.took;
    if ("error" in result) {
      if (!result.isTooSlow || result.took > MAX_RENDER_MS || attempt === MAX_ATTEMPTS) return result;
    } else if (result.took <= MAX_SAMPLE_MS) return result;
    else if (attempt === MAX_ATTEMPTS) return { error: "too slow", isTooSlow: true, took: result.took };
  }
}

/** The targets of an HTML text's links. */
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

/** Samples of all kinds in the template's language; a template for all is tried in each language it is for. */
function samplesFor(client: ClientRow, { part, language }: CustomTemplate) {
  if (language !== null) return samples(client, language);
  const usual = languageOf(client.locale);
  const others = languages.filter(
    (other) => other !== usual && !customTemplate({ templates: client.config.templates }, other, part),
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
  const [one] = sampleItems(1) as [InvitationItem];
  const several: [mail: string, items: InvitationItem[], to: Recipient][] = [
    ["one", [{ ...one, image_url: picture }], recipient],
    ["several", sampleItems(3), { ...recipient, name: null }],
    ["many", sampleItems(60), recipient],
    ["reminder", sampleItems(1), { ...recipient, reminder: true }],
    ["seller", [], recipient],
  ];
  return several.map(([mail, items, to]) => ({
    // as in the catalog
    sample: { mail, language: "none" },
    values: {
      ...invitationValues(client, to, items),
      email_hash: recipient.email_hash,
    },
  }));
}

/** Unknown variables in a client's templates, such as typos; they render as empty. */
export async function unknownVariables(client: ClientRow): Promise<{ template: string; name: string }[]> {
  const values = samples(client, languageOf(client.locale))[0]?.values ?? {};
  const unknown = await Promise.all(
    customTemplates(client).map(async ({ field, template }) =>
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
