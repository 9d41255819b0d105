import type { ClientRow } from "@/lib/accounts/stores/get-client";
import { pageAround, pageHeaders } from "@/lib/display/honesty/parts";
import { type Html, html } from "@/lib/display/widget/html";
import { brandOf } from "@/lib/forms/brand";
import { RawJson, Reply } from "@/lib/platform/http/reply";
import type { Language } from "@/lib/platform/i18n/languages";

// What the page and its forms share. Without scripts: a page that a link in an email opens works everywhere.

/** Styles beside those of the store's public pages. */
const styles = (client: ClientRow): string => {
  const accent = brandOf(client).accent;
  return `
h2 + .status { margin-top: -8px; }
.status { font-weight: 600; }
.stars { letter-spacing: 2px; }
.words { white-space: pre-line; }
.headline { font-weight: 600; }
.quote { padding-left: 14px; border-left: 3px solid var(--line); }
.photos { display: flex; flex-wrap: wrap; gap: 10px; padding: 6px 0; }
.photos li { max-width: 11rem; }
.photos img { display: block; width: 7rem; height: 7rem; object-fit: cover; border: 1px solid var(--line); border-radius: 8px; }
.photos img.hidden { opacity: 0.4; filter: grayscale(1); }
nav.pages { gap: 12px; padding: 4px 0; font-size: inherit; }
nav.pages a { padding: 10px 20px; font-weight: 600; color: var(--ink); text-decoration: none; border: 1px solid var(--pending); border-radius: 8px; }
.box { padding: 14px 16px; border-radius: 10px; background: var(--surface); border: 1px solid var(--line); display: flex; flex-direction: column; gap: 8px; }
.statement { display: flex; flex-direction: column; gap: 8px; padding-top: 6px; font-size: 15px; }
.done { border-color: var(--published); } .failed { border-color: var(--against); }
form { display: flex; flex-direction: column; align-items: flex-start; gap: 12px; }
details form { padding-top: 10px; }
label { font-weight: 600; }
label.check { display: flex; gap: 10px; align-items: baseline; font-weight: 400; }
input[type=checkbox] { width: 18px; height: 18px; flex: none; position: relative; top: 3px; accent-color: var(--accent); }
input[type=email], textarea { width: 100%; padding: 10px 12px; font: inherit; color: inherit; background: var(--surface); border: 1px solid var(--pending); border-radius: 8px; }
textarea { min-height: 7em; resize: vertical; }
button { font: inherit; font-weight: 600; padding: 10px 20px; border-radius: 8px; border: 1px solid transparent; background: ${accent?.color ?? "var(--accent)"}; color: ${accent?.ink ?? "var(--on-accent)"}; cursor: pointer; }
button.quiet { background: none; border-color: var(--pending); color: var(--ink); }
button.danger { background: none; border-color: var(--against); color: var(--against); }
:root { --on-accent: #ffffff; } @media (prefers-color-scheme: dark) { :root { --on-accent: #14130f; } }`;
};

/** The page as a response that is kept nowhere and sends no referrer. */
export const authorPageReply = (
  client: ClientRow,
  language: Language,
  title: string,
  body: Html,
  status = 200,
): Reply<undefined> =>
  new Reply<undefined>(
    new RawJson(
      pageAround(
        client,
        language,
        title,
        body,
        `\n<meta name="robots" content="noindex, nofollow">\n<style>${styles(client)}</style>`,
      ),
    ),
    {
      status,
      headers: {
        ...pageHeaders,
        "Content-Security-Policy": pageHeaders["Content-Security-Policy"].replace(
          "form-action 'none'",
          "form-action 'self'",
        ),
        "Cache-Control": "no-store",
        "X-Robots-Tag": "noindex, nofollow",
        "Content-Language": language,
      },
    },
  );

/** A form that posts to the page's own address, with these hidden fields. */
export const form = (action: string, hidden: Record<string, string>, ...children: (Html | false | null)[]): Html =>
  html(
    "form",
    { method: "post", action },
    Object.entries(hidden).map(([name, value]) => html("input", { type: "hidden", name, value })),
    children,
  );

export const button = (label: string, style?: "quiet" | "danger"): Html =>
  html("button", { class: style ?? null }, label);

/** Says what the reader's click did. */
export const notice = (text: string, isDone = true): Html =>
  html("div", { class: `box ${isDone ? "done" : "failed"}`, role: "status" }, html("p", null, text));
