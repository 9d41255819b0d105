import type { ClientRow } from "@/lib/accounts/stores/get-client";
import { styles } from "@/lib/display/honesty/styles";
import { type Html, html } from "@/lib/display/widget/html";
import { brandOf } from "@/lib/forms/brand";
import { type Language, languages } from "@/lib/platform/i18n/languages";

// What the public pages about a store's log share.

type Part = Html | string | null | false;

/** The document around a page's body. `head`: further elements of its head. */
export const pageAround = (client: ClientRow, language: Language, title: string, body: Html, head = ""): string =>
  `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">${head}
${html("title", null, title).text}
<style>${styles(brandOf(client).accent)}</style>
</head>
<body>
${body.text}
</body>
</html>
`;

/** The headers of every page. */
export const pageHeaders = {
  "Content-Security-Policy":
    "default-src 'none'; style-src 'unsafe-inline'; font-src 'self'; img-src 'self' https:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  "Referrer-Policy": "no-referrer",
};

export const paragraph = (text: string): Html => html("p", null, text);
export const note = (text: string): Html => html("p", { class: "note" }, text);
export const code = (text: string): Html => html("pre", { tabindex: "0" }, html("code", null, text));

export const section = (id: string, heading: string, ...parts: Part[]): Html =>
  html("section", { id, "aria-labelledby": `${id}-heading` }, html("h2", { id: `${id}-heading` }, heading), parts);

export function shopName(client: ClientRow): Html {
  const { name, logo, url, mark } = brandOf(client);
  const shown = logo ? html("img", { src: logo, alt: name, referrerpolicy: "no-referrer" }) : name;
  return html(
    "p",
    { class: "shop" },
    url ? html("a", { href: url, rel: "noreferrer" }, shown) : shown,
    mark && html("strong", null, ` · ${mark}`),
  );
}

/** Links to the page in each language. */
export function languageLinks(current: Language, addressIn: (language: Language) => string): Html {
  return html(
    "nav",
    null,
    languages.map((language) =>
      html(
        "a",
        {
          href: addressIn(language),
          hreflang: language,
          lang: language,
          "aria-current": language === current ? "page" : null,
        },
        new Intl.DisplayNames([language], { type: "language" }).of(language) ?? language,
      ),
    ),
  );
}
