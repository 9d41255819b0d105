import type { PublicText } from "@/lib/platform/i18n/public-texts";

/** Heading and introduction of an invitation's form; without items, it asks only about the store. */
export function headerTexts(t: PublicText, itemCount: number, shop: string): { title: string; text: string } {
  if (itemCount === 0) return { title: t("reviewForm.sellerHeading", { shop }), text: t("reviewForm.introSeller") };
  return {
    title: t("reviewForm.heading", { n: itemCount }),
    text: t(itemCount === 1 ? "reviewForm.introOne" : "reviewForm.intro", { shop }),
  };
}
