import type { Search } from "@/app/_guard";
import { SettingsPage } from "@/app/portal/(member)/settings/_page";
import { DisplaySettings } from "@/components/settings/display-settings";
import { displayGroups } from "@/components/settings/field-groups";
import { titleMetadata, translations } from "@/lib/accounts/language/request-language";
import { listProducts } from "@/lib/catalog/products/list-products";
import { reviewedProducts } from "@/lib/catalog/summaries/reviewed-products";
import { env } from "@/lib/platform/env";

export const generateMetadata = () => titleMetadata("navigation.display");

export default async function DisplaySettingsPage({ searchParams }: { searchParams: Promise<Search> }) {
  const t = await translations();
  return (
    <SettingsPage
      path="/portal/settings/display"
      searchParams={searchParams}
      title={t("navigation.display")}
      text={t("settingNames.displayIntro")}
    >
      {async (props, client) => {
        const { PUBLIC_URL } = env();
        const reviewed = await reviewedProducts(client, 12);
        const otherProducts =
          reviewed.length > 0 ? [] : (await listProducts(client, { limit: 12 }, new URL(PUBLIC_URL))).data;
        const products = [...reviewed, ...otherProducts].map(({ id, name }) => ({ id, name }));
        return <DisplaySettings {...props} groups={displayGroups(t)} origin={PUBLIC_URL} products={products} />;
      }}
    </SettingsPage>
  );
}
