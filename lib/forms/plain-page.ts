import type { Brand } from "@/lib/forms/brand";
import { RawJson, Reply } from "@/lib/platform/http/reply";
import type { Language } from "@/lib/platform/i18n/languages";
import { publicText } from "@/lib/platform/i18n/public-texts";
import { renderLiquid } from "@/lib/platform/mail/liquid";

/** A review or question on a page: its label, rating (reviews) and text in `lang`. `name` is its checkbox field, if any. */
export type PageItem = { name?: string; label: string; stars: number | null; lines: string[]; lang: string | null };

/** Characters shown of a text: enough to recognize it. */
const MAX_TEXT_LENGTH = 600;

/** The lines of an item's headline and text. */
export const itemLines = (headline: string | null, text: string): string[] =>
  [headline ?? "", truncate(text)].filter((line) => line !== "");

const truncate = (text: string): string => {
  const characters = [...text.slice(0, 2 * MAX_TEXT_LENGTH + 1)];
  return characters.length > MAX_TEXT_LENGTH ? `${characters.slice(0, MAX_TEXT_LENGTH).join("")}…` : text;
};

export type PageLink = { url: string; label: string };

/** A page with one message and at most one form, which posts to `action`. */
export type PlainPage = {
  language: Language;
  /** null if the store is unknown */
  shop: Brand | null;
  heading: string;
  text: string;
  form?: {
    action: string;
    /** its label */
    button?: string;
    /** instead of the button: several of equal weight that each send a value */
    choices?: { name: string; value: string; label: string }[];
    /** styled as a link, to undo an action */
    quiet?: boolean;
    /** a single item is always submitted; of several, each can be deselected */
    items?: PageItem[];
    /** an optional field for an email address */
    email?: { label: string; note: string };
    /** hidden form fields */
    hidden?: { name: string; value: string }[];
  };
  /** secondary links below the button */
  aside?: { text?: string; links: PageLink[] };
};

// Standalone and without scripts, because email programs' servers open it too. Styled like the store's forms: their
// font (`public/fonts`), the store's logo and its accent color.
const template = `<!doctype html>
<html lang="{{ language }}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex, nofollow">
<title>{{ heading }}</title>
<style>
  @font-face { font-family: "Inter Variable"; font-style: normal; font-display: swap; font-weight: 100 900; src: url("/fonts/inter-latin-opsz-normal.woff2") format("woff2-variations"); }
  :root { color-scheme: light dark; --surface: #faf8f5; --raised: #ffffff; --ink: #1d1b18; --muted: #6a645b; --line: #e6e1d8; --accent: #2950b4; --on-solid: #ffffff; }
  @media (prefers-color-scheme: dark) { :root { --surface: #151412; --raised: #1d1b19; --ink: #efebe4; --muted: #a9a296; --line: #322f2b; --accent: #9db8ff; --on-solid: #14130f; } }
  * { box-sizing: border-box; margin: 0; }
  body { min-height: 100vh; padding: 32px 16px; background: var(--surface); color: var(--ink); font: 15px/1.6 "Inter Variable", ui-sans-serif, system-ui, sans-serif; }
  main { display: flex; flex-direction: column; gap: 32px; min-height: calc(100vh - 64px); max-width: 40rem; margin: 0 auto; text-align: center; }
  section { width: 100%; margin: auto 0; padding: 48px 32px; background: var(--raised); border: 1px solid var(--line); border-radius: 14px; }
  .test { width: fit-content; margin: 0 auto -16px; padding: 2px 12px; border: 1px solid currentColor; border-radius: 99px; font-size: 13px; font-weight: 600; color: var(--ink); }
  main .shop { font-size: 21px; font-weight: 600; color: var(--ink); }
  .shop a { color: inherit; text-decoration: none; }
  .shop img { position: relative; max-height: 48px; max-width: 240px; object-fit: contain; vertical-align: middle; }
  .shop img::after { content: attr(alt); position: absolute; inset: 0; background: var(--surface); } /* covers the browser's icon if the logo can't be loaded */
  h1 { margin: 0 0 12px; font-size: 27px; font-weight: 600; line-height: 1.25; letter-spacing: -0.018em; text-wrap: balance; }
  p { color: var(--muted); }
  h1 + p { text-wrap: balance; }
  form { margin-top: 28px; }
  ul { margin: 0 0 24px; padding: 0; list-style: none; text-align: left; }
  li { padding: 16px 0; border-top: 1px solid var(--line); overflow-wrap: anywhere; }
  li:last-child { border-bottom: 1px solid var(--line); }
  li label, li .label { display: flex; gap: 10px; align-items: baseline; font-weight: 600; color: var(--ink); }
  li p { margin-top: 6px; white-space: pre-line; }
  li .stars { color: var(--ink); letter-spacing: 2px; }
  input { accent-color: var(--accent); width: 18px; height: 18px; flex: none; position: relative; top: 3px; }
  .field { display: flex; flex-direction: column; gap: 6px; margin: 0 0 24px; text-align: left; }
  .field label { font-weight: 600; color: var(--ink); }
  .field input { width: 100%; height: auto; top: 0; padding: 10px 12px; font: inherit; color: inherit; background: var(--surface); border: 1px solid var(--muted); border-radius: 8px; }
  .field span { font-size: 13px; }
  button { font: inherit; font-weight: 600; padding: 12px 24px; border-radius: 8px; border: 1px solid transparent; background: var(--accent); color: var(--on-solid); cursor: pointer; }
{% if shop.accent %}  button:not(.quiet) { background: {{ shop.accent.color }}; color: {{ shop.accent.ink }}; }
{% endif %}  button.quiet { background: none; border-color: transparent; color: var(--muted); font-weight: 500; text-decoration: underline; text-underline-offset: 3px; }
  .choices { display: flex; flex-wrap: wrap; justify-content: center; gap: 12px; }
  .choices button:not(.quiet) { background: none; border-color: var(--muted); color: var(--ink); }
  .aside { margin-top: 28px; font-size: 13px; }
  .aside p + p { margin-top: 4px; }
  .aside a { display: inline-block; padding: 4px 8px; color: var(--accent); text-underline-offset: 3px; }
  :focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
</style>
</head>
<body>
<main>
{% if shop.mark %}<p class="test">{{ shop.mark }}</p>{% endif %}
{% if shop %}<p class="shop">{% if shop.url %}<a href="{{ shop.url }}" rel="noreferrer">{% endif %}{% if shop.logo %}<img src="{{ shop.logo }}" alt="{{ shop.name }}" referrerpolicy="no-referrer">{% else %}{{ shop.name }}{% endif %}{% if shop.url %}</a>{% endif %}</p>{% endif %}
<section>
<h1>{{ heading }}</h1>
<p>{{ text }}</p>
{% if form %}<form method="post" action="{{ form.action }}">
{% for field in form.hidden %}<input type="hidden" name="{{ field.name }}" value="{{ field.value }}">
{% endfor %}{% if form.items %}<ul>{% for item in form.items %}
<li>{% if form.items.size > 1 %}<label><input type="checkbox" name="{{ item.name }}" value="1" checked>{{ item.label }}</label>{% else %}{% if item.name %}<input type="hidden" name="{{ item.name }}" value="1">{% endif %}<div class="label">{{ item.label }}</div>{% endif %}
{% if item.stars %}<p class="stars" role="img" aria-label="{{ item.stars }} / 5">{% for star in (1..5) %}{% if star <= item.stars %}★{% else %}☆{% endif %}{% endfor %}</p>{% endif %}
{% for line in item.lines %}<p{% if item.lang %} lang="{{ item.lang }}"{% endif %}>{{ line }}</p>{% endfor %}</li>{% endfor %}</ul>{% endif %}
{% if form.email %}<p class="field"><label for="email">{{ form.email.label }}</label><input id="email" name="email" type="email" autocomplete="email" maxlength="254" aria-describedby="email-note"><span id="email-note">{{ form.email.note }}</span></p>{% endif %}
{% if form.choices %}<div class="choices">{% for choice in form.choices %}<button name="{{ choice.name }}" value="{{ choice.value }}">{{ choice.label }}</button>
{% endfor %}</div>{% else %}<button{% if form.quiet %} class="quiet"{% endif %}>{{ form.button }}</button>{% endif %}</form>{% endif %}
{% if aside %}<div class="aside">{% if aside.text %}<p>{{ aside.text }}</p>{% endif %}<p>{% for link in aside.links %}<a href="{{ link.url }}" rel="noreferrer">{{ link.label }}</a>
{% endfor %}</p></div>{% endif %}
</section>
</main>
</body>
</html>
`;

/** Returns the page as a response that caches don't store and that sends no referrer. */
export const plainPage = (page: PlainPage, status = 200): Reply<undefined> =>
  new Reply<undefined>(new RawJson(renderLiquid("html", template, page)), {
    status,
    headers: {
      "Content-Security-Policy": `default-src 'none'; style-src 'unsafe-inline'; font-src 'self'; ${imageSource(page)}form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
      "Referrer-Policy": "no-referrer",
      "X-Robots-Tag": "noindex, nofollow",
    },
  });

/** The content security policy's image source: the store's logo only. */
const imageSource = ({ shop }: PlainPage): string => (shop?.logo ? `img-src ${new URL(shop.logo).origin}; ` : "");

/** Links to contact the store; empty if it has no contact. */
export const contactLinks = (shop: Brand | null, language: Language): PageLink[] =>
  shop?.contact
    ? [{ url: shop.contact, label: publicText(language)("linkPage.contactStore", { shop: shop.name }) }]
    : [];
