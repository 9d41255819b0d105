import type { Metadata } from "next";
import { param, type Search } from "@/app/_guard";
import { AuthorRequestLink, HonestyLink, ReceiptLink } from "@/app/_honesty-link";
import { UnknownLink } from "@/app/_unknown-link";
import { getWebForm, webFormMetadata } from "@/app/_web-form";
import { sendReview } from "@/app/reviews/new/_actions";
import { PublicHeader, PublicMessage, PublicPage } from "@/components/forms/public-page";
import { ReviewForm } from "@/components/forms/review-form";
import { buttonClass } from "@/components/ui/button";
import { brandOf } from "@/lib/forms/brand";
import { frameOf } from "@/lib/forms/web-form/frame";
import { toWebForm } from "@/lib/forms/web-form/open-web-form";
import { compactTextsOf, publicText } from "@/lib/platform/i18n/public-texts";

type Props = { searchParams: Promise<Search> };

export async function generateMetadata({ searchParams }: Props): Promise<Metadata> {
  return webFormMetadata(await searchParams, (t) => t("reviewForm.pageTitle"));
}

/** The form that a store's pages link to, for one product. Opening it changes nothing. */
export default async function WebFormPage({ searchParams }: Props) {
  const search = await searchParams;
  const webForm = await getWebForm(search);
  if (!webForm) return <UnknownLink text={(t) => t("linkPage.unknownFromStore")} />;
  const { link, form } = webForm;
  const { client, language } = form;
  const t = publicText(language);
  const brand = brandOf(client);
  const sent = param(search, "sent");
  const receipt = param(search, "receipt");
  const frame = { ...frameOf(client, link), isSubmitted: sent !== undefined };
  const productPage = (form.state === "open" ? form.subject.url : null) ?? frame.page;
  const toShop = (productPage ?? brand.url) && (
    <a href={productPage ?? brand.url ?? undefined} target="_top" rel="noreferrer" className={buttonClass()}>
      {t("form.toStore", { shop: brand.name })}
    </a>
  );
  if (form.state === "no_product") {
    return (
      <PublicPage lang={language} shop={brand} frame={frame}>
        <PublicMessage title={t("linkPage.noProductHeading")} text={t("linkPage.noProduct", { shop: brand.name })}>
          {toShop}
        </PublicMessage>
      </PublicPage>
    );
  }
  if (sent !== undefined) {
    return (
      <PublicPage lang={language} shop={brand} frame={frame}>
        <PublicMessage
          title={t("form.thanksHeading")}
          mark="done"
          text={`${t("reviewForm.received", { n: 1 })} ${client.require_verification ? t("reviewForm.receivedConfirm") : t("reviewForm.receivedNext")}`}
        >
          {toShop}
          {receipt && <ReceiptLink clientId={client.id} token={receipt} language={language} />}
          <HonestyLink clientId={client.id} language={language} />
          <AuthorRequestLink clientId={client.id} shop={brand.name} language={language} />
        </PublicMessage>
      </PublicPage>
    );
  }
  return (
    <PublicPage lang={language} shop={brand} frame={frame}>
      <PublicHeader title={t("reviewForm.heading", { n: 1 })} text={t("reviewForm.introWeb")} />
      <ReviewForm
        form={toWebForm(form)}
        texts={compactTextsOf(language, "form", "reviewForm")}
        accent={brand.accent}
        send={sendReview.bind(null, link)}
      />
    </PublicPage>
  );
}
