import type { Language } from "@/lib/platform/i18n/languages";
import { emailText } from "@/lib/platform/i18n/public-texts";
import { type BrandedClient, brandingOf } from "@/lib/platform/mail/branding";
import { renderLiquid } from "@/lib/platform/mail/liquid";
import { messageHtml, messageText } from "@/lib/platform/mail/templates/message";

/** The content of a short service email, in its reader's language. */
export type Message = {
  language: Language;
  subject: string;
  /** shown by email clients next to the subject */
  preheader: string;
  heading: string;
  lines: string[];
  /** shown in boxes below the lines: quoted text, a list; line breaks are preserved */
  blocks?: { label: string | null; lines: string[]; link?: { label: string; url: string } }[];
  /** below the boxes */
  after?: string[];
  button: { label: string; url: string } | null;
  /** below the button */
  note: string | null;
  /** to the client's own team, which doesn't need its contact */
  isForTeam?: boolean;
  /** why the recipient gets it */
  why: string;
  /** null: for team members, who don't subscribe */
  opt_out: { question: string; label: string; url: string } | null;
  /** further links in the small print */
  more?: { label: string; url: string }[];
};

/** Renders subject, HTML and text of a short service email in the client's branding and the common layout. */
export function renderMessage(
  client: BrandedClient,
  message: Message,
): { subject: string; html: string; text: string } {
  const values = {
    blocks: [],
    after: [],
    more: [],
    help: emailText(message.language)("email.help"),
    ...brandingOf(client),
    ...message,
    ...(message.isForTeam && { contact: null }),
  };
  return {
    subject: message.subject,
    html: renderLiquid("html", messageHtml, values),
    text: renderLiquid("text", messageText, values),
  };
}
