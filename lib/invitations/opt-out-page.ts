import { formWords } from "@/lib/forms/words";
import { RawJson, Reply } from "@/lib/http/reply";
import type { OptOut } from "@/lib/invitations/opt-out";
import { fill, languageOf } from "@/lib/languages/rules";
import { renderLiquid } from "@/lib/mail/liquid";

/** Before the button, after it, after it was taken back, or for a link that is not ours. */
export type OptOutView = "ask" | "stopped" | "resumed" | "unknown";

// A page of its own: it is reached by mail programs' servers as much as by people, and needs no scripts.
const page = `<!doctype html>
<html lang="{{ language }}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex, nofollow">
<title>{{ heading }}</title>
<style>
  :root { color-scheme: light dark; --surface: #faf8f5; --raised: #ffffff; --ink: #1d1b18; --muted: #6a645b; --line: #e6e1d8; --accent: #2950b4; --on-solid: #ffffff; }
  @media (prefers-color-scheme: dark) { :root { --surface: #151412; --raised: #1d1b19; --ink: #efebe4; --muted: #a9a296; --line: #322f2b; --accent: #9db8ff; --on-solid: #14130f; } }
  * { box-sizing: border-box; margin: 0; }
  body { min-height: 100vh; display: grid; place-items: center; padding: 24px 16px; background: var(--surface); color: var(--ink); font: 16px/1.6 ui-sans-serif, system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; }
  main { width: 100%; max-width: 30rem; padding: 40px 32px; background: var(--raised); border: 1px solid var(--line); border-radius: 14px; text-align: center; }
  .shop { font-size: 14px; font-weight: 600; color: var(--muted); }
  h1 { margin: 8px 0 8px; font-size: 25px; line-height: 1.25; letter-spacing: -0.015em; text-wrap: balance; }
  p { color: var(--muted); }
  form { margin-top: 28px; }
  button { font: inherit; font-weight: 600; padding: 12px 24px; border-radius: 8px; border: 1px solid transparent; background: var(--accent); color: var(--on-solid); cursor: pointer; }
  button.quiet { background: none; border-color: transparent; color: var(--muted); font-weight: 500; text-decoration: underline; text-underline-offset: 3px; }
  :focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
</style>
</head>
<body>
<main>
{% if shop %}<p class="shop">{{ shop }}</p>{% endif %}
<h1>{{ heading }}</h1>
<p>{{ text }}</p>
{% if button %}<form method="post" action="{{ action }}"><button{% if quiet %} class="quiet"{% endif %}>{{ button }}</button></form>{% endif %}
</main>
</body>
</html>
`;

/** The page in the reader's language. Nothing of it is kept by caches, and no address learns where its reader was. */
export function optOutPage(view: OptOutView, about: OptOut | null, acceptLanguage: string | null): Reply<undefined> {
  const words = formWords[about?.language ?? languageOf(...(acceptLanguage ?? "").split(","))];
  const shop = about?.client.display_name ?? "";
  const views = {
    ask: { heading: words.stop_heading, text: words.stop, button: words.stop_button, action: "?" },
    stopped: {
      heading: words.stopped_heading,
      text: words.stopped,
      button: words.stopped_button,
      action: "?again=1",
      quiet: true,
    },
    resumed: {
      heading: words.thanks_heading,
      text: words.resumed,
      button: words.stop_button,
      action: "?",
      quiet: true,
    },
    unknown: { heading: words.unknown_heading, text: words.unknown },
  };
  const told = Object.fromEntries(
    Object.entries(views[view]).map(([key, value]) => [key, typeof value === "string" ? fill(value, { shop }) : value]),
  );
  const html = renderLiquid("html", page, { ...told, shop, language: about?.language ?? "en" });
  return new Reply<undefined>(new RawJson(html), {
    status: view === "unknown" ? 404 : 200,
    headers: {
      "Content-Security-Policy":
        "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
      "Referrer-Policy": "no-referrer",
      "X-Robots-Tag": "noindex, nofollow",
    },
  });
}
