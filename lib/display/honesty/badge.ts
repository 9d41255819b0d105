import type { ClientRow } from "@/lib/accounts/stores/get-client";
import { highOf, lowOf, MIN_FOR_SHARES, writerFor } from "@/lib/display/honesty/texts";
import { type Html, html } from "@/lib/display/widget/html";
import type { ByStars } from "@/lib/honesty/figures";
import type { StoredFigures } from "@/lib/honesty/figures-sql";
import type { Language } from "@/lib/platform/i18n/languages";

/** Pixels. `CHARACTER`: a wide one's width at the larger font size. */
const HEIGHT = 44;
const PADDING = 12;
const CHARACTER = 7.2;

/**
 * The badge of a store as SVG: that reviews are handled openly, and which shares of the bad and of the good ones were
 * published, the same as on the page. No shares of a few reviews.
 */
export function honestyBadge(client: ClientRow, { figures }: StoredFigures, language: Language): string {
  const { t, percent } = writerFor(client, language);
  const { published, of } = figures.reviews.published_share;
  const share = (group: (counts: ByStars) => number) =>
    group(of) >= MIN_FOR_SHARES ? percent(group(published), group(of)) : null;
  const [low, high] = [share(lowOf), share(highOf)];
  const title = t("honesty.badgeTitle");
  const line = low !== null && high !== null ? t("honesty.badgeShares", { low, high }) : t("honesty.badgeFew");
  const width = Math.ceil(Math.max(title.length, line.length) * CHARACTER + 2 * PADDING);
  const lineAt = (y: number, name: string, words: string): Html => html("text", { x: PADDING, y, class: name }, words);
  return html(
    "svg",
    {
      xmlns: "http://www.w3.org/2000/svg",
      width,
      height: HEIGHT,
      viewBox: `0 0 ${width} ${HEIGHT}`,
      role: "img",
      lang: language,
    },
    html("title", null, `${title}. ${line}`),
    html("style", null, styles),
    html("rect", { x: 0.5, y: 0.5, width: width - 1, height: HEIGHT - 1, rx: 8 }),
    lineAt(18, "title", title),
    lineAt(34, "line", line),
  ).text;
}

const styles = `text{font-family:system-ui,sans-serif;fill:#1d1b18}.title{font-size:13px;font-weight:650}.line{font-size:12px}rect{fill:#fff;stroke:#8a857c}`;
