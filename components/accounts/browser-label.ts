import type { Translate } from "@/lib/platform/i18n/translator";

const browsers: [mark: RegExp, name: string][] = [
  [/Edg(e|A|iOS)?\//, "Edge"],
  [/OPR\/|Opera/, "Opera"],
  [/Firefox\/|FxiOS\//, "Firefox"],
  [/Chrome\/|CriOS\/|Chromium\//, "Chrome"],
  [/Safari\//, "Safari"],
];
const systems: [mark: RegExp, name: string][] = [
  [/iPhone|iPad/, "iOS"],
  [/Android/, "Android"],
  [/Windows/, "Windows"],
  [/Mac OS X|Macintosh/, "macOS"],
  [/CrOS/, "ChromeOS"],
  [/Linux/, "Linux"],
];

/** A user agent in words: `Firefox on Windows`. */
export function browserLabel(agent: string | null, t: Translate): string {
  const known = (list: typeof browsers) => list.find(([mark]) => mark.test(agent ?? ""))?.[1];
  const [browser, system] = [known(browsers), known(systems)];
  if (browser && system) return t("myAccount.browserOnSystem", { browser, system });
  return browser ?? system ?? t("myAccount.unknownBrowser");
}
