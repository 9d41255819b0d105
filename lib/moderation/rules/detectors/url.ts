import { LinkifyIt, type Match } from "linkify-it";
import { domainMatcher } from "@/lib/moderation/rules/detectors/domains";
import type { FieldRule } from "@/lib/moderation/rules/rule-input";
import { withoutEmoji } from "@/lib/moderation/rules/split-words";

/** Generic top-level domains that count as a site without `www`. */
const endings =
  "com net org biz info shop store online site website app dev xyz club top blog web pro name edu gov".split(" ");
const finder = new LinkifyIt({ fuzzyLink: true, fuzzyEmail: true }).tlds(
  [...endings, "asia", "coop", "museum", "aero"],
  true,
);

/** A host with `www.` is a site whatever its ending. */
const withWww = /(?<![\p{L}\p{N}.@-])www\.[\p{L}\p{N}-]{1,63}(?:\.[\p{L}\p{N}-]{2,63}){1,5}/giu;

/**
 * Country domains that count as a site without `www`, and the languages in which they are words: there, a missing space
 * after a sentence ("super.de levering") isn't a site. Other country domains count only with `www` or a path.
 */
const alsoWords: Record<string, string> = {
  it: "en",
  at: "en",
  be: "en da no",
  de: "fr es nl sv no da pt it",
  se: "es sv it pt da no",
  es: "es de pt fr",
  no: "en es no da it pt",
  us: "en",
  fr: "",
  uk: "",
  dk: "",
  pl: "",
  nl: "",
  ch: "",
  cz: "",
  eu: "",
  hu: "",
  cn: "",
  jp: "",
  kr: "sv da no",
  br: "",
  mx: "",
  ca: "fr",
  au: "fr",
  nz: "",
  gr: "",
  bg: "",
  ee: "",
  lt: "",
  lv: "",
  ua: "",
  cc: "",
  tv: "",
  io: "it",
  co: "cs pl it",
  ru: "",
  pt: "",
  sk: "",
  fi: "",
  ie: "",
};

/** Links and site names, except the store's own and allowed ones. Never definite, since many are in honest reviews. */
export const findUrls: FieldRule<"url"> = ({ text }, { lang }, { domains }, { allowed = [] }) => {
  const isAllowedDomain = domainMatcher([...domains, ...allowed]);
  const linked = (finder.match(withoutEmoji(text)) ?? []).filter(
    (match) => match.schema !== "mailto:" && isSite(match, lang),
  );
  const named = Array.from(text.matchAll(withWww), ({ 0: raw, index }) => ({
    url: `//${raw}`,
    index,
    lastIndex: index + raw.length,
  })).filter(({ index }) => !linked.some((link) => link.index <= index && index < link.lastIndex));
  return [...linked, ...named]
    .filter((link) => isDisguised(text, link) || !isAllowedDomain(hostOf(link)))
    .map(({ index, lastIndex }) => ({ start: index, end: lastIndex, sure: false }));
};

function isSite({ schema, raw }: Match, lang: string | null): boolean {
  if (schema !== "") return schema !== "//" || /^\/\/[^/]+\.[\p{L}-]{2,}/u.test(raw);
  const [host = ""] = raw.split(/[/?#:]/u);
  if (/^www\./i.test(host) || raw.length > host.length + 1) return true;
  const ending = host.slice(host.lastIndexOf(".") + 1);
  const name = host.slice(0, host.lastIndexOf("."));
  // Sites aren't written "Amazon.De", nor as digits only ("1.5.com").
  if (!/\p{L}{2}/u.test(name) || (ending !== ending.toLowerCase() && ending !== ending.toUpperCase())) return false;
  if (endings.includes(ending.toLowerCase())) return true;
  const words = alsoWords[ending.toLowerCase()];
  return words !== undefined && !words.split(" ").includes(lang ?? "");
}

type Link = Pick<Match, "url" | "lastIndex">;

/** The host a browser would open: `https://evil.example?@shop.example` isn't what it looks like. */
function hostOf({ url }: Link): string {
  return URL.canParse(url, "http://-") ? new URL(url, "http://-").hostname : "";
}

/** Whether the visible host is only a user name: `https://shop.example@evil.example`. */
const isDisguised = (text: string, { url, lastIndex }: Link): boolean =>
  /^[a-z]*:?\/\/[^/?#]*$/i.test(url) && /^[^\s/?#]{0,99}@/.test(text.slice(lastIndex, lastIndex + 100));
