import type { ClientRow } from "@/lib/accounts/stores/get-client";
import { invitationLink, optOutLink } from "@/lib/invitations/links";
import { type Language, languageOf } from "@/lib/platform/i18n/languages";
import { type EmailText, emailText } from "@/lib/platform/i18n/public-texts";
import { log } from "@/lib/platform/log";
import { brandingOf, positiveNumber, safeUrl } from "@/lib/platform/mail/branding";
import { renderLiquid } from "@/lib/platform/mail/liquid";
import type { Format } from "@/lib/platform/mail/liquid-engine.mjs";
import { MAX_RENDER_MS, renderInWorker } from "@/lib/platform/mail/liquid-worker";
import { invitationHtml, invitationText } from "@/lib/platform/mail/templates/invitation";

/** An item as the email and the form show it: the order's own details take precedence over the catalog's. */
export type InvitationItem = {
  order_id: string;
  item_id: string;
  /** position in the invitation, from 1, used in links and forms */
  position: number;
  family_id: string | null;
  name: string | null;
  category: string | null;
  url: string | null;
  image_url: string | null;
};

/** The recipient; `id` is the invitation whose form the email links to. */
export type Recipient = {
  id: string;
  customer_id: string | null;
  name: string | null;
  email: string;
  lang: string | null;
  email_hash: string;
  /** the invitation's only reminder, which links to the form of `id` */
  reminder?: boolean;
};

const DEFAULT_MAX_ITEMS = 10;

/** The parts of an email, and the format of each. */
export const mailParts = {
  subject: "text",
  html_template: "html",
  text_template: "text",
} as const satisfies Record<string, Format>;
export type MailPart = keyof typeof mailParts;

/** A client's template for a language: the language's own, else the one for all. Null if ours is used. */
export function customTemplate(config: ClientRow["config"], language: Language, part: MailPart): string | null {
  const byLanguage = config.templates as Partial<Record<Language, Partial<Record<MailPart, string>>>> | undefined;
  for (const own of [byLanguage?.[language]?.[part], config[part]])
    if (typeof own === "string" && own.trim() !== "") return own;
  return null;
}

/**
 * Renders subject, HTML and text of an invitation, from the client's templates or ours, in the customer's language
 * (else the client's). Shows at most `config.max_items` items; the form has all. A client's template that fails, or
 * exceeds the time budget of the email, is logged and replaced by ours, so the email isn't delayed.
 */
export async function renderInvitation(
  client: ClientRow,
  invitation: Recipient,
  items: InvitationItem[],
  lane: "mails" | "trials" = "mails",
): Promise<{ subject: string; html: string; text: string }> {
  const values = invitationValues(client, invitation, items);
  const budget = { left: MAX_RENDER_MS };
  const render = async (part: MailPart, ours: string, more: object = {}): Promise<string> => {
    const format = mailParts[part];
    const variables = { ...values, ...more, format };
    const template = customTemplate(client.config, values.language, part);
    if (template !== null) {
      const rendered = await renderInWorker(lane, { format, template, values: variables }, budget);
      if ("text" in rendered) return rendered.text;
      log.warn(
        { client: client.id, error: rendered.error },
        "could not render the client's email template; using the default one",
      );
    }
    return renderLiquid(format, ours, variables);
  };
  const subject = (await render("subject", "{{ subject }}")).replace(/\s+/g, " ").trim();
  return {
    subject,
    html: await render("html_template", invitationHtml, { subject }),
    text: await render("text_template", invitationText, { subject }),
  };
}

/** The variables of a template. Clients' templates depend on the names, so they are only added to. */
export function invitationValues(client: ClientRow, invitation: Recipient, items: InvitationItem[]) {
  const { config } = client;
  const language = languageOf(invitation.lang, client.locale);
  const reviewUrl = invitationLink(client.id, invitation.id);
  const maxItems = positiveNumber(config.max_items) ?? DEFAULT_MAX_ITEMS;
  const shown = items.slice(0, maxItems);
  const t = emailText(language);
  const name = invitation.name?.trim() ?? "";
  const words = templateTexts(t, { shop: client.display_name, name, product: nameOf(items[0]) });
  const [reminder, onlyService] = [invitation.reminder ?? false, items.length === 0];
  const stars = (query: string) =>
    [1, 2, 3, 4, 5].map((score) => ({
      score,
      url: `${reviewUrl}?${query}=${score}`,
      label: t("invitation.star", { score }),
    }));
  return {
    language,
    items: shown.map((item) => ({
      id: item.item_id,
      name: nameOf(item),
      initial: Array.from(nameOf(item))[0]?.toUpperCase() ?? "",
      category: item.category,
      order_id: item.order_id,
      family_id: item.family_id,
      review_url: `${reviewUrl}?item=${item.position}`,
      product_url: safeUrl(item.url),
      image_url: safeUrl(item.image_url),
      stars: stars(`item=${item.position}&score`),
    })),
    customer_name: invitation.name,
    customer_id: invitation.customer_id,
    customer_email: invitation.email,
    review_url: reviewUrl,
    seller_review_url: client.collect_seller_reviews ? `${reviewUrl}#seller` : null,
    opt_out_url: optOutLink(client.id, invitation.email_hash),
    all_images_present: shown.every((item) => safeUrl(item.image_url) !== null),
    all_items_present: shown.length === items.length,
    only_service: onlyService,
    seller_stars: client.collect_seller_reviews ? stars("item=seller&score") : [],
    not_received_url: onlyService ? null : `${reviewUrl}?later=1`,
    reminder,
    ...brandingOf(client),
    opt_out: words.opt_out,
    opt_out_a: words.opt_out_a,
    ...headlines(words, { reminder, onlyService, one: items.length === 1 }),
    greeting: name ? words.greeting : words.greeting_unnamed,
    write_label: onlyService ? words.seller_link : items.length === 1 ? words.write_one : words.write_many,
    words,
  };
}

/** The `words` variable of a template. */
function templateTexts(t: EmailText, { shop, name, product }: { shop: string; name: string; product: string }) {
  return {
    subject_one: t("invitation.subjectOne", { product }),
    subject_many: t("invitation.subjectMany", { shop }),
    preheader: t("invitation.preheader"),
    greeting: t("invitation.greeting", { name }),
    greeting_unnamed: t("invitation.greetingUnnamed"),
    heading: t("invitation.heading"),
    intro: t("invitation.intro", { shop }),
    rate: t("invitation.rate"),
    star: t("invitation.star", { score: "{score}" }),
    low: t("invitation.low"),
    high: t("invitation.high"),
    write_one: t("invitation.writeOne"),
    write_many: t("invitation.writeMany"),
    more: t("invitation.more"),
    seller: t("invitation.seller", { shop }),
    seller_link: t("invitation.sellerLink"),
    thanks: t("invitation.thanks"),
    why: t("invitation.why", { shop }),
    opt_out: t("email.optOut"),
    opt_out_a: t("email.optOutLink"),
    help: t("invitation.help"),
    not_yet: t("invitation.notReceived"),
    not_yet_a: t("invitation.notReceivedLink"),
    reminder_subject_one: t("reminder.subjectOne", { product }),
    reminder_subject_many: t("reminder.subjectMany", { shop }),
    reminder_preheader: t("reminder.preheader"),
    reminder_heading: t("reminder.heading"),
    reminder_intro: t("reminder.intro", { shop }),
    reminder_why: t("reminder.why", { shop }),
    service_subject: t("storeInvitation.subject", { shop }),
    service_preheader: t("storeInvitation.preheader"),
    service_heading: t("storeInvitation.heading"),
    service_intro: t("storeInvitation.intro", { shop }),
    service_rate: t("storeInvitation.rate", { shop }),
  };
}

function headlines(
  words: ReturnType<typeof templateTexts>,
  is: { reminder: boolean; onlyService: boolean; one: boolean },
) {
  if (is.onlyService)
    return {
      subject: words.service_subject,
      preheader: words.service_preheader,
      heading: words.service_heading,
      intro: words.service_intro,
      why: is.reminder ? words.reminder_why : words.why,
    };
  if (is.reminder)
    return {
      subject: is.one ? words.reminder_subject_one : words.reminder_subject_many,
      preheader: words.reminder_preheader,
      heading: words.reminder_heading,
      intro: words.reminder_intro,
      why: words.reminder_why,
    };
  return {
    subject: is.one ? words.subject_one : words.subject_many,
    preheader: words.preheader,
    heading: words.heading,
    intro: words.intro,
    why: words.why,
  };
}

const nameOf = (item: InvitationItem | undefined): string => item?.name?.trim() || item?.item_id || "";
