"use client";

import { Monitor, Smartphone } from "lucide-react";
import { useEffect, useState } from "react";
import { useTranslations } from "#messages";
import { languageName } from "@/components/settings/language-name";
import { type Snippet, snippetOf } from "@/components/settings/snippet";
import { Button } from "@/components/ui/button";
import { CopyBox } from "@/components/ui/copy-box";
import { EmptyState } from "@/components/ui/empty-state";
import { Select } from "@/components/ui/field";
import { languages } from "@/lib/platform/i18n/languages";
import type { MessageKey } from "@/lib/platform/i18n/translator";

type Props = {
  clientId: string;
  version: number;
  /** of the preview */
  origin: string;
  snippetOrigin: string;
  products: { id: string; name: string }[];
  accent: string | undefined;
};

/** The widget's parts. */
export const widgetParts: { name: Snippet["parts"][number]; label: MessageKey }[] = [
  { name: "badge", label: "widgetSettings.badge" },
  { name: "reviews", label: "common.reviews" },
  { name: "questions", label: "common.questions" },
  { name: "seller", label: "widgetSettings.seller" },
];

/** The widget as on a store's page, and the snippet to copy. */
export function WidgetPreview({ clientId, version, origin, snippetOrigin, products, accent }: Props) {
  const t = useTranslations();
  const [product, setProduct] = useState(products[0]?.id ?? "");
  const [shown, setShown] = useState<Snippet["parts"]>(["badge", "reviews", "questions"]);
  const [language, setLanguage] = useState("");
  // Initially like the portal; the color scheme is only known in the browser.
  const [dark, setDark] = useState<boolean>();
  useEffect(() => setDark(matchMedia("(prefers-color-scheme: dark)").matches), []);
  const [narrow, setNarrow] = useState(false);
  const toggle = (name: Snippet["parts"][number]) =>
    setShown(widgetParts.map((part) => part.name).filter((part) => (part === name) !== shown.includes(part)));
  const snippet = snippetOf({ origin: snippetOrigin, clientId, parts: shown, language });
  return (
    <section aria-labelledby="widget" className="rounded-card border border-line bg-raised p-5 shadow-raised sm:p-6">
      <h2 id="widget" className="text-lg font-semibold">
        {t("widgetSettings.title")}
      </h2>
      <p className="max-w-prose text-sm text-muted">{t("widgetSettings.intro")}</p>
      <div className="mt-4 flex flex-col gap-4">
        <fieldset className="flex flex-wrap gap-x-5 gap-y-2 text-sm">
          <legend className="sr-only">{t("widgetSettings.parts")}</legend>
          {widgetParts.map(({ name, label }) => (
            <label key={name} className="flex items-center gap-2">
              <input type="checkbox" className="size-4" checked={shown.includes(name)} onChange={() => toggle(name)} />
              {t(label)}
            </label>
          ))}
        </fieldset>
        <CopyBox label={t("widgetSettings.addToPages")} text={snippet} />
        <p className="text-sm text-muted">
          {t.rich("widgetSettings.snippetHint", {
            place: <code className="font-mono text-ink">PRODUCT-ID</code>,
            documentation: (
              <a className="link" href="/docs">
                {t("widgetSettings.documentation")}
              </a>
            ),
          })}
        </p>
        <div className="flex flex-wrap items-center gap-2">
          <h3 className="mr-auto font-semibold">{t("widgetSettings.preview")}</h3>
          {products.length > 0 && (
            <Select
              compact
              aria-label={t("widgetSettings.previewProduct")}
              value={product}
              onChange={({ target }) => setProduct(target.value)}
              className="max-w-56"
            >
              {products.map(({ id, name }) => (
                <option key={id} value={id}>
                  {name}
                </option>
              ))}
            </Select>
          )}
          <Select
            compact
            aria-label={t("widgetSettings.previewLanguage")}
            value={language}
            onChange={({ target }) => setLanguage(target.value)}
          >
            <option value="">{t("widgetSettings.storeLanguage")}</option>
            {languages.map((code) => (
              <option key={code} value={code}>
                {languageName(code, t.language)}
              </option>
            ))}
          </Select>
          <Button size="small" aria-pressed={dark ?? false} onClick={() => setDark(!dark)}>
            {dark ? t("widgetSettings.onLight") : t("widgetSettings.onDark")}
          </Button>
          <Button size="small" aria-pressed={narrow} onClick={() => setNarrow(!narrow)}>
            {narrow ? (
              <Monitor aria-hidden="true" className="size-4" />
            ) : (
              <Smartphone aria-hidden="true" className="size-4" />
            )}
            {narrow ? t("common.desktopView") : t("common.mobileView")}
          </Button>
        </div>
        {products.length === 0 ? (
          <div className="rounded-card border border-dashed border-line">
            <EmptyState title={t("widgetSettings.emptyTitle")}>{t("widgetSettings.emptyText")}</EmptyState>
          </div>
        ) : (
          <div className="overflow-hidden rounded-card border border-line">
            <Frame
              key={JSON.stringify([version, product, shown, language, dark, accent])}
              title={t("widgetSettings.previewTitle")}
              page={
                dark === undefined
                  ? undefined
                  : pageOf({ origin, clientId, product, parts: shown, language, dark, accent })
              }
              className={narrow ? "mx-auto h-[46rem] w-[24rem] max-w-full" : "h-[46rem] w-full"}
            />
          </div>
        )}
      </div>
    </section>
  );
}

/** A separate document in a frame, so that the portal's styles don't apply. */
function Frame({
  title,
  page,
  className,
}: {
  title: string;
  page: ((nonce: string) => string) | undefined;
  className: string;
}) {
  const [html, setHtml] = useState<string>();
  // The framed document has this page's policy, so its scripts need the same nonce, which only the browser knows.
  useEffect(() => setHtml(page?.(document.querySelector<HTMLScriptElement>("script[nonce]")?.nonce ?? "")), [page]);
  // Without the portal's origin, so that the widget can access neither its session nor its pages.
  return <iframe title={title} sandbox="allow-scripts allow-forms allow-popups" srcDoc={html} className={className} />;
}

type PageOf = {
  origin: string;
  clientId: string;
  product: string;
  parts: string[];
  language: string;
  dark: boolean;
  accent: string | undefined;
};

const escaped = (text: string): string => text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);

const pageOf =
  ({ origin, clientId, product, parts: shown, language, dark, accent }: PageOf) =>
  (nonce: string): string => {
    // Fade out the last lines, so that nothing looks cut off where there is more to scroll to.
    const src = `${origin}/onpage/${encodeURIComponent(clientId)}/head.js${language ? `?lang=${language}` : ""}`;
    return `<!doctype html><html lang="${escaped(language || "en")}"><head><meta charset="utf-8"><title>Preview</title>
<style>:root{color-scheme:${dark ? "dark" : "light"};font:16px/1.5 system-ui,sans-serif}body{margin:0;padding:1.5rem 1.5rem 4rem;background:${dark ? "#16181d" : "#fff"};color:${dark ? "#eceef2" : "#1a1c20"}}${accent && /^#[0-9a-f]{6}$/i.test(accent) ? `:root{--candor-accent:${accent}}` : ""}[id^=candor-]{margin-bottom:2rem}body::after{content:"";position:fixed;inset:auto 0 0;height:4rem;background:linear-gradient(transparent,${dark ? "#16181d" : "#fff"});pointer-events:none}</style>
<script async nonce="${escaped(nonce)}" src="${escaped(src)}" data-product-id="${escaped(product)}" data-load="${escaped(shown.join(" "))}"></script>
</head><body>${shown.map((part) => `<div id="candor-${part}"></div>`).join("")}</body></html>`;
  };
