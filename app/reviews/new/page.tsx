import type { Metadata } from "next";
import { param, type Search } from "@/app/_guard";
import { UnknownLink } from "@/app/_unknown-link";
import { webFormAt, webFormMetadata } from "@/app/_web-link";
import { sendReview } from "@/app/reviews/new/_actions";
import { PublicHeader, PublicMessage, PublicPage } from "@/components/forms/public-page";
import { ReviewForm } from "@/components/forms/review-form";
import { buttonClass } from "@/components/ui/button";
import { brandOf } from "@/lib/forms/brand";
import { toWebForm } from "@/lib/forms/web-form/open-web-form";
import { formWords } from "@/lib/forms/words";
import { fill } from "@/lib/platform/i18n/languages";

type Props = { searchParams: Promise<Search> };

export async function generateMetadata({ searchParams }: Props): Promise<Metadata> {
  return webFormMetadata(await searchParams, (language) => formWords[language].page_title);
}

/** The form that a shop's pages link to, for one product. Opening it changes nothing. */
export default async function WebFormPage({ searchParams }: Props) {
  const search = await searchParams;
  const found = await webFormAt(search);
  if (!found) return <UnknownLink text={(spoken) => formWords[spoken].unknown_shop} />;
  const { link, form } = found;
  const { client, language } = form;
  const words = formWords[language];
  const brand = brandOf(client);
  const productPage = form.state === "open" ? form.subject.url : null;
  const toShop = (productPage ?? brand.url) && (
    <a href={productPage ?? brand.url ?? undefined} rel="noreferrer" className={buttonClass()}>
      {fill(words.to_shop, { shop: brand.name })}
    </a>
  );
  if (form.state === "no_product") {
    return (
      <PublicPage lang={language} shop={brand}>
        <PublicMessage title={words.no_product_heading} text={fill(words.no_product, { shop: brand.name })}>
          {toShop}
        </PublicMessage>
      </PublicPage>
    );
  }
  if (param(search, "sent") !== undefined) {
    return (
      <PublicPage lang={language} shop={brand}>
        <PublicMessage
          title={words.thanks_heading}
          mark="done"
          text={`${words.thanks_one} ${client.require_verification ? words.thanks_confirm : words.thanks_next}`}
        >
          {toShop}
        </PublicMessage>
      </PublicPage>
    );
  }
  return (
    <PublicPage lang={language} shop={brand}>
      <PublicHeader title={words.heading} text={words.intro_web} />
      <ReviewForm form={toWebForm(form)} words={words} accent={brand.accent} send={sendReview.bind(null, link)} />
    </PublicPage>
  );
}
