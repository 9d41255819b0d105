import cards from "card-validator";
import { countrySpecs, isValidIBAN } from "ibantools";
import { isSupportedCountry, parsePhoneNumberFromString } from "libphonenumber-js/max";
import type { FieldRule, Span } from "@/lib/moderation/rules/rule-input";
import { toGtin14 } from "@/lib/platform/parsing/gtin";

// Numbers that identify a person: cards, accounts, phones, orders. Reviews contain many other numbers (sizes, dates,
// EAN codes, models), so each rule requires more than digits.

/** Digits with single separators between them, not part of a longer word or number. */
const cardPattern = /(?<![\p{L}\p{N}.,/])\d(?:[ \u00A0-]?\d){13,18}(?![\p{L}\p{N}]|[.,/]\d)/gu;
const brands = new Set(["visa", "mastercard", "american-express", "discover", "diners-club", "jcb", "unionpay"]);

/**
 * Payment cards: a known issuer's range, its length, the check digit (Luhn), and not a product code. Definite if
 * grouped as on a card, since one number in ten has a valid check digit by chance.
 */
export const findCardNumbers: FieldRule<"card_number"> = ({ text }) =>
  matchSpans(text, cardPattern, (raw) => {
    const digits = raw.replace(/\D/g, "");
    if (toGtin14(digits)) return null;
    const { isValid, card } = cards.number(digits);
    if (!isValid || !card || !brands.has(card.type)) return null;
    return /^(?:\d{4}[ \u00A0-]\d{4}[ \u00A0-]\d{4}[ \u00A0-]\d{4}|\d{4}[ \u00A0-]\d{6}[ \u00A0-]\d{4,5})$/.test(raw);
  });

/** International bank account numbers (IBAN) with the country's length and valid check digits. Always definite. */
export const findBankAccounts: FieldRule<"bank_account"> = ({ text }) =>
  Array.from(text.matchAll(/(?<![\p{L}\p{N}])[A-Za-z]{2}\d{2}(?=[ \u00A0]?[A-Za-z0-9])/gu)).flatMap(
    ({ 0: head, index }) => {
      const length = countrySpecs[head.slice(0, 2).toUpperCase()]?.chars;
      if (!length) return [];
      const written = new RegExp(`^(?:[A-Za-z0-9][ \\u00A0]?){${length - 1}}[A-Za-z0-9](?![\\p{L}\\p{N}])`, "u").exec(
        text.slice(index, index + 2 * length),
      );
      return written && isValidIBAN(written[0].replace(/[ \u00A0]/g, "").toUpperCase())
        ? [{ start: index, end: index + written[0].length, sure: true }]
        : [];
    },
  );

const phonePattern = /(?<![\p{L}\p{N}.,/:+(-])(?:\+|\(|\d)[\d \u00A0()./-]{5,24}\d(?![\p{L}\p{N}%]|[.,:/-]\d)/gu;
const phoneWords =
  /(?:\b(?:tel|phone|call|mobile|cell|whatsapp|signal|telegram|sms|text me|telefon|handy|mobil|ring|ruf|anrufen|téléphone|appelez|portable|teléfono|llama|móvil|telefono|telefone|telefoon|bel|puh)\p{L}{0,12}\.?|☎|📞|📱)[^\p{L}\d]{0,4}(?:\p{L}{1,8}[^\p{L}\d]{1,3}){0,2}$/iu;
const dates =
  /^(?:\d{4}([-./ ])\d{1,2}\1\d{1,2}|\d{1,2}([-./])\d{1,2}\2(?:\d{4}|\d{2})|\d{1,2} \d{1,2} \d{4}|(?:19|20)\d\d[-/ ](?:19|20)\d\d)(?![-./ ]?\d)/;
/** Fields with more numbers than this are held for a person. */
const MAX_NUMBERS = 50;

/**
 * Phone numbers that are valid in the store's country or have a country code. Definite if the number is in the author's
 * orders; any other may be a hotline. Ignores dates and product codes.
 */
export const findPhones: FieldRule<"phone"> = ({ text }, writing, { country }) => {
  const here = country && isSupportedCountry(country) ? country : undefined;
  const own = digitsOf(writing.own.phone ?? "").slice(-8);
  let checkedCount = 0;
  return matchSpans(text, phonePattern, (raw, index) => {
    const digits = digitsOf(raw);
    if (own.length === 8 && digits.endsWith(own)) return true;
    if (digits.length < 7 || dates.test(raw)) return null;
    const grouped = /\d[ \u00A0()./-]+\d/.test(raw);
    // Without a word such as "phone" before it, it must be formatted like a phone number.
    if (!raw.startsWith("+") && !phoneWords.test(text.slice(Math.max(0, index - 40), index))) {
      if (!grouped && (!raw.startsWith("0") || toGtin14(digits))) return null;
      if (/\d\.\d/.test(raw) && !raw.startsWith("0")) return null;
    }
    checkedCount += 1;
    if (checkedCount > MAX_NUMBERS) return false;
    return parsePhoneNumberFromString(raw.replace(/^00/, "+"), here)?.isValid() ? false : null;
  });
};

const digitsOf = (text: string): string => text.replace(/\D/g, "");

const orderWords =
  /(?:(?<!\p{L})(?:order|beställnings?|bestell(?:ung(?:s)?)?|auftrags?|rechnungs?|ordre|bestillings?|bestel|tilaus)[ -]?(?:number|nummer|numero|nr|no|id|#|№)?|(?<!\p{L})(?:commande|pedido|encomenda|ordine|zamówieni[ea]|invoice|faktura)(?!\p{L})|(?:num[ée]ro|número|n[°ºo]\.?|numer|nº)\s?(?:de |d'|do |di )?(?:la |mi |ma )?(?:commande|pedido|encomenda|ordine|zamówienia))\.?\s?(?:(?:number|numero|número|num|nr|no|n[°ºo]|id|is|was|ist|war|lautet|är|var|est|es|era|è|#|№|:|=)\.?\s?[:#]?\s?){0,3}#?(?=([A-Z0-9](?:[A-Z0-9]|[-_/](?=[A-Z0-9])){3,39})(?![\p{L}\p{N}]))/giu;

/** Order numbers: the author's own anywhere, others only after a word such as "order". Never definite. */
export const findOrderNumbers: FieldRule<"order_number"> = ({ text }, { own }) => [
  ...ownOrder(text, own.orderId),
  ...Array.from(text.matchAll(orderWords)).flatMap(({ 0: words, 1: id = "", index }) =>
    (id.match(/\d/g)?.length ?? 0) >= 3 && !/^(?:19|20)\d\d$/.test(id)
      ? [{ start: index + words.length, end: index + words.length + id.length, sure: false }]
      : [],
  ),
];

function ownOrder(text: string, orderId: string | null): Span[] {
  // A short id, or one of letters only, may be a word or a size.
  if (orderId === null || orderId.length < 5 || (orderId.match(/\d/g)?.length ?? 0) < 3) return [];
  const found: Span[] = [];
  for (let at = text.indexOf(orderId); at >= 0; at = text.indexOf(orderId, at + orderId.length)) {
    const end = at + orderId.length;
    const [before, after] = [text.slice(Math.max(0, at - 2), at), text.slice(end, end + 2)];
    if (!/[\p{L}\p{N}]$/u.test(before) && !/^[\p{L}\p{N}]/u.test(after)) found.push({ start: at, end, sure: false });
  }
  return found;
}

/** Maps each match of a pattern by `check`: true (definite), false (not definite), or null (ignored). */
const matchSpans = (text: string, pattern: RegExp, check: (raw: string, index: number) => boolean | null): Span[] =>
  Array.from(text.matchAll(pattern)).flatMap(({ 0: raw, index }) => {
    const sure = check(raw, index);
    return sure === null ? [] : [{ start: index, end: index + raw.length, sure }];
  });
