import type { ClientRow } from "@/lib/clients/get-client";
import type { Language } from "@/lib/languages/rules";
import { brandingOf } from "@/lib/mail/branding";
import { renderLiquid } from "@/lib/mail/liquid";
import { messageHtml, messageText } from "@/lib/mail/templates/message";

/** What a short service mail says, in its reader's language. */
export type Message = {
  language: Language;
  subject: string;
  /** what mail programs show beside the subject */
  preheader: string;
  heading: string;
  lines: string[];
  button: { label: string; url: string };
  /** below the button */
  note: string;
  /** why the reader gets it */
  why: string;
  opt_out: { question: string; label: string; url: string };
};

/** Subject, HTML and text of a short service mail in the client's colours, with one button. */
export function renderMessage(client: ClientRow, message: Message): { subject: string; html: string; text: string } {
  const values = { ...brandingOf(client), ...message };
  return {
    subject: message.subject,
    html: renderLiquid("html", messageHtml, values),
    text: renderLiquid("text", messageText, values),
  };
}
