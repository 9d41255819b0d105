"use client";

import { useMutation } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { useTranslations } from "#messages";
import { useChangeSetup } from "@/components/insights/setup/change-setup";
import {
  magentoLayout,
  magentoLayoutFile,
  magentoTemplate,
  type ProductIds,
  shopSnippet,
} from "@/components/insights/setup/shop-snippets";
import { Button } from "@/components/ui/button";
import { CopyBox } from "@/components/ui/copy-box";
import { Field, Input, Select } from "@/components/ui/field";
import { Notice } from "@/components/ui/notice";
import type { checkWidgetContract } from "@/lib/insights/setup/contract";
import type { WidgetCheck } from "@/lib/insights/setup/schema";
import { type ShopPlatform, shopPlatforms } from "@/lib/insights/setup/values";
import { call, issueOf, messageOf } from "@/lib/platform/http/client";
import { formatMoment } from "@/lib/platform/i18n/format";
import type { MessageKey } from "@/lib/platform/i18n/translator";

type Props = {
  clientId: string;
  origin: string;
  platform: ShopPlatform;
  check: WidgetCheck | null;
  timeZone: string;
  variant: "primary" | "secondary";
};

const names: Record<Exclude<ShopPlatform, "html">, string> = {
  shopify: "Shopify",
  woocommerce: "WooCommerce",
  magento: "Magento 2",
  prestashop: "PrestaShop",
};

/** The snippet for the selected platform, and a check of the page that it was added to. */
export function WidgetStep({ clientId, origin, platform: saved, check, timeZone, variant }: Props) {
  const t = useTranslations();
  const [platform, setPlatform] = useState(saved);
  const [ids, setIds] = useState<ProductIds>("sku");
  const save = useChangeSetup(clientId);
  return (
    <div className="flex flex-col gap-4">
      <div className="grid max-w-xl gap-4 sm:grid-cols-2">
        <Field id="setup-platform" label={t("setup.platform")} error={save.error && messageOf(save.error, t)}>
          {(wiring) => (
            <Select
              {...wiring}
              value={platform}
              onChange={({ target }) => {
                const selected = target.value as ShopPlatform;
                setPlatform(selected);
                save.mutate({ platform: selected });
              }}
            >
              {shopPlatforms.map((name) => (
                <option key={name} value={name}>
                  {name === "html" ? t("setup.otherPlatform") : names[name]}
                </option>
              ))}
            </Select>
          )}
        </Field>
        {platform !== "html" && (
          <Field id="setup-ids" label={t("setup.productIds")}>
            {(wiring) => (
              <Select {...wiring} value={ids} onChange={({ target }) => setIds(target.value as ProductIds)}>
                <option value="sku">{t("setup.idsAreSkus")}</option>
                <option value="internal">{t("setup.idsAreInternal")}</option>
              </Select>
            )}
          </Field>
        )}
      </div>
      <p className="max-w-prose text-sm text-muted">
        <Place platform={platform} />
      </p>
      <CopyBox label={t("setup.snippet")} text={shopSnippet(platform, { origin, clientId, ids })} />
      {platform === "magento" && <CopyBox label={t("setup.layoutFile")} text={magentoLayout} />}
      <PageCheck clientId={clientId} check={check} timeZone={timeZone} variant={variant} />
    </div>
  );
}

/** Where the snippet belongs. */
function Place({ platform }: { platform: ShopPlatform }) {
  const t = useTranslations();
  const code = (text: string) => <code className="font-mono break-all text-ink">{text}</code>;
  switch (platform) {
    case "shopify":
      return t("setup.shopifyHint");
    case "woocommerce":
      return t("setup.woocommerceHint");
    case "magento":
      return t.rich("setup.magentoHint", { template: code(magentoTemplate), layout: code(magentoLayoutFile) });
    case "prestashop":
      return t.rich("setup.prestashopHint", {
        template: code("templates/catalog/product.tpl"),
        block: code("product_footer"),
      });
    case "html":
      return t.rich("setup.htmlHint", { place: code("PRODUCT-ID") });
  }
}

const outcomes: Record<WidgetCheck["outcome"], MessageKey> = {
  found: "setup.widgetFound",
  unreachable: "setup.widgetUnreachable",
  http_error: "setup.widgetHttpError",
  no_snippet: "setup.widgetNoSnippet",
  other_store: "setup.widgetOtherStore",
  no_product: "setup.widgetNoProduct",
  unknown_product: "setup.widgetUnknownProduct",
  blocked_origin: "setup.widgetBlocked",
};

type CheckProps = Pick<Props, "clientId" | "check" | "timeZone" | "variant">;

function PageCheck({ clientId, check, timeZone, variant }: CheckProps) {
  const t = useTranslations();
  const router = useRouter();
  const run = useMutation({
    mutationFn: (url: string) =>
      call<typeof checkWidgetContract>("POST /portal/api/v1/setup/widget", {
        query: { client_id: clientId },
        body: { url },
      }),
    onSuccess: () => router.refresh(),
  });
  const shown = run.data?.data ?? check;
  return (
    <form
      className="flex max-w-xl flex-col gap-3"
      onSubmit={(event) => {
        event.preventDefault();
        run.mutate(String(new FormData(event.currentTarget).get("url")).trim());
      }}
    >
      <Field
        id="setup-page"
        label={t("setup.pageUrl")}
        error={run.error && (issueOf(run.error, "url") ?? messageOf(run.error, t))}
      >
        {(wiring) => (
          <span className="flex flex-wrap gap-2">
            <span className="min-w-56 flex-1">
              <Input
                {...wiring}
                type="url"
                name="url"
                required
                maxLength={2_000}
                defaultValue={check?.url}
                placeholder="https://shop.example/product"
              />
            </span>
            <Button type="submit" variant={variant} disabled={run.isPending}>
              {run.isPending ? t("setup.checking") : t("setup.checkPage")}
            </Button>
          </span>
        )}
      </Field>
      <div role="status">
        {shown && !run.isPending && !run.error && (
          <Notice tone={shown.outcome === "found" ? "good" : "warn"}>
            <p>{t(outcomes[shown.outcome], { status: shown.status ?? 0, other: shown.other ?? "" })}</p>
            <p className="mt-1 break-all">{shown.url}</p>
            <p className="mt-1">
              {t("setup.checkedAt", { moment: formatMoment(shown.checked_at, timeZone, t.language) })}
            </p>
          </Notice>
        )}
      </div>
    </form>
  );
}
