import { decodeHTMLStrict } from "entities/decode";
import { Parser } from "htmlparser2";
import type { FeedReport } from "@/lib/platform/parsing/report";
import { truncateText } from "@/lib/platform/storable-text";
import type { ModerationStatus } from "@/lib/reviews/decisions/schema";

// Converts values of other services to ours. Nothing here throws; corrections go to the report.

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to remove
const CONTROL = /[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ufeff]/g;
const TAG =
  /<\/?(?:p|br|div|span|b|i|u|em|strong|small|a|ul|ol|li|h[1-6]|img|blockquote|font|script|style|table|tr|td|iframe)\b[^<>]*>/i;
const ENTITY = /&(?:#\d{1,7}|#x[\da-f]{1,6}|[a-z][a-z\d]{1,31});/i;
/** Elements that end a line of text. */
const BLOCK_TAGS = new Set([
  "p",
  "br",
  "div",
  "li",
  "ul",
  "ol",
  "blockquote",
  "tr",
  "h1",
  "h2",
  "h3",
  "h4",
  "h5",
  "h6",
]);

/** Converts to plain text: no HTML, entities or control characters, LF line breaks, trimmed. */
export function plainText(given: string, row: number, report: FeedReport): string {
  let text = given;
  if (!text.isWellFormed()) {
    text = text.toWellFormed();
    report.repair("invalid_characters", row);
  }
  if (TAG.test(text)) {
    text = withoutTags(text);
    report.repair("html", row);
  } else if (ENTITY.test(text)) {
    text = decodeHTMLStrict(text).toWellFormed();
    report.repair("entities", row);
  }
  const clean = text.replace(CONTROL, "");
  if (clean !== text) report.repair("control_characters", row);
  return clean.replace(/\r\n?/g, "\n").trim();
}

function withoutTags(html: string): string {
  let text = "";
  let scriptDepth = 0; // Nesting depth of script and style elements.
  const parser = new Parser({
    onopentagname(name) {
      if (name === "script" || name === "style") scriptDepth += 1;
      if (BLOCK_TAGS.has(name) && text !== "") text += "\n";
    },
    onclosetag(name) {
      if (name === "script" || name === "style") scriptDepth -= 1;
      if (BLOCK_TAGS.has(name) && name !== "br") text += "\n";
    },
    ontext(piece) {
      if (scriptDepth === 0) text += piece;
    },
  });
  parser.end(html);
  return text.replace(/[ \t\n]+/g, (blanks) =>
    blanks.includes("\n") ? blanks.replace(/[ \t]+/g, "").slice(0, 2) : blanks,
  );
}

/** A text of at most `most` characters; longer text is truncated. Null if empty. */
export function shortText(
  given: string | undefined,
  maxLength: number,
  row: number,
  report: FeedReport,
): string | null {
  if (given === undefined) return null;
  const text = plainText(given, row, report).replace(/\s+/g, " ");
  if (text.length > maxLength) report.repair("long_value", row);
  return truncateText(text, maxLength) || null;
}

/** A score of 1 to 5; decimals, with point or comma, are rounded. Null if invalid. */
export function readScore(given: string, row: number, report: FeedReport): number | null {
  const text = given.trim().replace(",", ".");
  if (!/^\d{1,2}(\.\d{1,9})?$/.test(text)) return null;
  const exact = Number(text);
  if (exact < 1 || exact > 5) return null;
  const score = Math.round(exact);
  if (score !== exact) report.repair("rounded_score", row);
  return score;
}

const STATUSES: Record<ModerationStatus, string[]> = {
  accepted: "1 true yes y ok active approved published accepted visible live enabled".split(" "),
  pending: "0 false no n hold pending new flagged awaiting unmoderated notyet inreview".split(" "),
  rejected:
    "hidden rejected unpublished declined disapproved unapproved trash archived deleted removed disabled spam".split(
      " ",
    ),
};
const statuses = new Map<string, ModerationStatus>(
  Object.entries(STATUSES).flatMap(([status, words]) => words.map((word) => [word, status as ModerationStatus])),
);

/** Converts a status. An unknown word means pending, so a person decides. */
export function readStatus(
  given: string,
  row: number,
  report: FeedReport,
): { accepted: boolean | null; reject_reason: string | null } {
  const word = given
    .trim()
    .toLowerCase()
    .replace(/[\s_-]/g, "");
  const status = statuses.get(word);
  if (!status) report.repair("unknown_status", row);
  if (status === "accepted") return { accepted: true, reject_reason: null };
  if (status === "rejected") return { accepted: false, reject_reason: word === "spam" ? "spam" : "unspecified" };
  return { accepted: null, reject_reason: null };
}

const NO =
  /^(?:|false|f|n|nein|keine?|nej|ing(?:en|et|a)|nee|geen|aucune?|ningun[oa]|off|null|n\.?\/?a|[-–—]+|(?:no|non|not|none)(?:[\s_-]+(?:rewards?|rewarded|incentives?|incentivi[sz]ed|compensation|gifts?|discounts?|coupons?|vouchers?|applicable))?(?:[\s_-]+(?:given|offered|received|provided))?)\.?$/i;
const CURRENCY_CODES = Intl.supportedValuesOf("currency").join("|");
const FREQUENT_CODES = "eur|usd|gbp|chf|sek|nok|dkk";
const CURRENCY_SIGNS = "[a-z]{0,2}\\p{Sc}|kr\\.?|kč|zł";
const UNITS = "%|pts|(?:loyalty )?points?|punkte|puntos|poäng|coupons?|vouchers?";
const ZERO_NUMBER = "0+(?:[.,](?:0+|[-–]))?";
const ZERO_AMOUNT = "0+[.,]0+";
/**
 * Zero, alone or with a currency or unit, such as "0.00", "$0", "EUR0.00" or "0 points". Not "ALL0" or "0TOP", which may be
 * coupons, or "0% off".
 */
const ZERO = new RegExp(
  `^(?:${[
    `(?:(?:${CURRENCY_SIGNS})\\s?|(?:${CURRENCY_CODES})\\s|${FREQUENT_CODES})${ZERO_NUMBER}`,
    `${ZERO_NUMBER}(?:\\s?(?:${CURRENCY_SIGNS}|${UNITS})|\\s(?:${CURRENCY_CODES})|${FREQUENT_CODES})?`,
    `(?:${CURRENCY_CODES})${ZERO_AMOUNT}`,
    `${ZERO_AMOUNT}(?:${CURRENCY_CODES})`,
  ].join("|")})$`,
  "iu",
);

/** Whether the author was offered something: any value says so, such as the kind of reward, except a plain no or zero. */
export function readIncentivized(given: string): boolean {
  const text = given.trim().replace(/^\((.*)\)$/, "$1");
  return !NO.test(text) && !ZERO.test(text.replace(/^-/, ""));
}

/** http(s) URLs in a list separated by commas, semicolons, bars or spaces; other values are dropped. */
export function readAddresses(given: string): string[] {
  const found = given
    .split(/(?<![;,|\s])[;,|\s]+(?=[a-z][a-z\d+.-]{0,30}:|\/\/)/i)
    .map((part) => part.replace(/(?<![;,|\s])[;,|\s]+$/, "").replace(/^\/\//, "https://"))
    .filter((part) => /^https?:\/\/[^\s/?#]\S*$/i.test(part) && URL.canParse(part) && part.length <= 2_000);
  return [...new Set(found)];
}
