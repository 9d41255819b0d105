import type { FieldRule } from "@/lib/moderation/rules/rule-input";

// Up to trillions: with an unlimited repetition, a long row of groups would be scanned again from each group.
const amount = String.raw`\d{1,3}(?:[ \u00A0.,'’]\d{3}){0,4}(?:[.,]\d{1,2})?|\d{1,7}(?:[.,]\d{1,2})?`;
const codes =
  "EUR|USD|GBP|SEK|NOK|DKK|ISK|CHF|PLN|CZK|HUF|RON|BGN|TRY|RUB|UAH|KZT|JPY|CNY|KRW|INR|BRL|MXN|COP|CLP|ARS|CAD|AUD|NZD|ZAR";
/** Currency names that are unambiguous next to a number; weights ("pounds") are left out. */
const names =
  "euros?|dollars?|bucks|quid|pence|cents?|kronor|kroner|krónur|spänn|riksdaler|franken|rappen|złotych|złote|zł|kč|korun|forint|pesos|reais|dólares|lei|lira|tl|рублей|рубля|руб|грн|тенге|円|元|원";
const after = new RegExp(
  String.raw`(?<![\p{L}\p{N}.,])(?:${amount})(?:(?:\s?(?:\p{Sc}|(?:${codes}|${names}|kr|sek|eur)(?![\p{L}\p{N}])))|:-)`,
  "giu",
);
const before = new RegExp(
  String.raw`(?<![\p{L}\p{N}])(?:(?:US|A|C|R|HK)?\p{Sc}\s?|(?:${codes})\s|kr\.?\s)(?:${amount})(?![\p{L}\p{N}%]|[.,]\d)`,
  "giu",
);
/** European shoe and clothing sizes look like prices: EUR 38, 42 EUR. */
const size = /^(?:EUR ?(?:[1-4]\d|5[0-4])(?:[.,]5)?|(?:[1-4]\d|5[0-4])(?:[.,]5)? ?EUR)$/i;

/** "5:-)" isn't a Swedish price; "(499:-)" is. */
const isSmiley = (raw: string, next: string): boolean => /^\d{1,2}:-$/.test(raw) && /^[()DP|/\\]/.test(next);

/** Exact prices. Ignores words such as "bargain" and percentages. Never definite: a person checks the context. */
export const findPrices: FieldRule<"price"> = ({ text }) =>
  [after, before].flatMap((pattern) =>
    Array.from(text.matchAll(pattern)).flatMap(({ 0: raw, index }) =>
      size.test(raw) || isSmiley(raw, text.slice(index + raw.length))
        ? []
        : [{ start: index, end: index + raw.length, sure: false }],
    ),
  );
