import type { Language } from "@/lib/platform/i18n/languages";
import { type Branded, brandingOf } from "@/lib/platform/mail/branding";
import { renderLiquid } from "@/lib/platform/mail/liquid";
import { messageHtml, messageText } from "@/lib/platform/mail/templates/message";

/** What a short service mail says, in its reader's language. */
export type Message = {
  language: Language;
  subject: string;
  /** what mail programs show beside the subject */
  preheader: string;
  heading: string;
  lines: string[];
  /** set apart below the lines: somebody's words, a list; line breaks within a line are kept */
  blocks?: { label: string | null; lines: string[]; link?: { label: string; url: string } }[];
  /** below what is set apart */
  after?: string[];
  button: { label: string; url: string } | null;
  /** below the button */
  note: string | null;
  /** why the reader gets it */
  why: string;
  /** null: for people of the shop, who do not subscribe */
  opt_out: { question: string; label: string; url: string } | null;
};

/** Subject, HTML and text of a short service mail in the client's colours and the layout of all mails. */
export function renderMessage(client: Branded, message: Message): { subject: string; html: string; text: string } {
  const values = { blocks: [], after: [], ...brandingOf(client), ...message };
  return {
    subject: message.subject,
    html: renderLiquid("html", messageHtml, values),
    text: renderLiquid("text", messageText, values),
  };
}
