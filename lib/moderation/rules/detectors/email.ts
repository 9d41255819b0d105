import { LinkifyIt } from "linkify-it";
import { domainMatcher } from "@/lib/moderation/rules/detectors/domains";
import type { FieldRule } from "@/lib/moderation/rules/rule-input";
import { withoutEmoji } from "@/lib/moderation/rules/split-words";

const finder = new LinkifyIt({ fuzzyEmail: true, fuzzyLink: false });

/** `ann (at) mail (dot) com`: an obfuscated address, starting from the at sign. */
const disguised =
  /[([{]\s{0,2}(?:at|@|arroba|ät)\s{0,2}[)\]}]\s{0,2}[\p{L}\p{N}-]{1,63}(?:\s{0,2}(?:[([{]\s{0,2}(?:dot|punkt|point|punto|\.)\s{0,2}[)\]}]|\.)\s{0,2}[\p{L}\p{N}-]{2,63}){1,3}/giu;

/**
 * Email addresses. Definite if it's the author's own; another may be a company's, so a person checks it. Ignores
 * addresses at the store's own domains and at allowed ones.
 */
export const findEmails: FieldRule<"email"> = ({ text }, { own }, { domains }, { allowed = [] }) => {
  const isAllowedDomain = domainMatcher([...domains, ...allowed]);
  const addresses = (finder.match(withoutEmoji(text)) ?? []).filter(
    ({ schema, raw }) => schema === "mailto:" && /@[^@]+\.[\p{L}\p{N}-]{2,}$/u.test(raw),
  );
  return [
    ...addresses
      .filter(({ raw }) => !isAllowedDomain(raw.slice(raw.lastIndexOf("@") + 1)))
      .map(({ raw, index, lastIndex }) => ({
        start: index,
        end: lastIndex,
        sure: raw.replace(/^mailto:/i, "").toLowerCase() === own.email,
      })),
    ...Array.from(text.matchAll(disguised)).flatMap(({ 0: raw, index }) => {
      const name = /(?<![\p{L}\p{N}._%+-])[\p{L}\p{N}._%+-]+\s{0,2}$/u.exec(text.slice(Math.max(0, index - 64), index));
      return name ? [{ start: index - name[0].length, end: index + raw.length, sure: false }] : [];
    }),
  ];
};
