import { type ClientRow, timeZoneOf } from "@/lib/accounts/stores/get-client";
import { stopDigestLink } from "@/lib/moderation/digests/links";
import type { Digest } from "@/lib/moderation/digests/schema";
import type { Waiting } from "@/lib/moderation/queue/schema";
import { env } from "@/lib/platform/env";
import { fill, type Language } from "@/lib/platform/i18n/languages";
import type { Message } from "@/lib/platform/mail/render-message";
import { digestWords } from "@/lib/platform/mail/templates/digest-words";
import { decidedKinds } from "@/lib/reviews/decisions/schema";

/** What there is to tell somebody: what waits in their queue (`yours`), and what visitors are waiting for. */
export type ToTell = { waiting: Waiting; unreplied: number };

/** Whether there is anything to write about. That reviews have no reply is told beside other things, never by itself. */
export const isWorth = ({ waiting }: ToTell): boolean =>
  (waiting.yours && waiting.count > 0) || waiting.reported > 0 || waiting.unanswered > 0;

/** The mail in a language: what waits and since when, what was reported, what has no reply, each with the way to those very rows. */
export function digestMessage(
  client: ClientRow,
  { userId, every, language }: { userId: string; every: Digest["every"]; language: Language },
  { waiting, unreplied }: ToTell,
): Message {
  const words = digestWords[language];
  const shop = client.display_name;
  const link = (path: string, query: Record<string, string> = {}) =>
    `${env().PUBLIC_URL}/portal${path}?${new URLSearchParams({ client_id: client.id, ...query })}`;
  const counted = ([one, many]: [string, string], count: number, more = false) =>
    fill(count === 1 ? one : many, { shop, count: `${count.toLocaleString(language)}${more ? "+" : ""}` });
  const yours = waiting.yours && waiting.count > 0;
  const blocks: NonNullable<Message["blocks"]> = [];
  if (yours) {
    const kinds = decidedKinds.filter((kind) => waiting.kinds[kind] > 0);
    const since =
      waiting.oldest_at && fill(words.since, { moment: momentIn(language, timeZoneOf(client), waiting.oldest_at) });
    blocks.push({
      label: counted(words.waiting, waiting.count, waiting.more),
      lines: [
        kinds.map((kind) => counted(words.kinds[kind], waiting.kinds[kind])).join(", "),
        ...(since ? [since] : []),
      ],
      link: { label: words.decide, url: link("/queue") },
    });
  }
  if (waiting.reported > 0)
    blocks.push({
      label: words.reported_label,
      lines: [counted(words.reported, waiting.reported)],
      link: { label: words.look, url: link("/reviews", { status: "accepted", reported: "1" }) },
    });
  if (waiting.unanswered > 0)
    blocks.push({
      label: words.unanswered_label,
      lines: [counted(words.unanswered, waiting.unanswered), words.unanswered_note],
      link: { label: words.answer, url: link("/questions", { status: "accepted", unreplied: "1" }) },
    });
  if (unreplied > 0)
    blocks.push({
      label: words.unreplied_label,
      lines: [counted(words.unreplied, unreplied)],
      link: { label: words.reply, url: link("/reviews", { status: "accepted", unreplied: "1" }) },
    });
  return {
    language,
    subject: yours ? counted(words.subject, waiting.count, waiting.more) : fill(words.subject_other, { shop }),
    preheader: words.preheader,
    heading: fill(words.heading, { shop }),
    lines: [],
    blocks,
    button: { label: words.button, url: link("") },
    note: null,
    why: fill(every === "day" ? words.why_day : words.why_week, { shop }),
    opt_out: { question: words.stop, label: words.stop_a, url: stopDigestLink(userId, client.id) },
  };
}

const momentIn = (language: Language, timeZone: string, moment: string): string =>
  new Intl.DateTimeFormat(language === "en" ? "en-GB" : language, {
    dateStyle: "long",
    timeStyle: "short",
    timeZone,
  }).format(new Date(moment));
