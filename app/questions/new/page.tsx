import type { Metadata } from "next";
import { param, type Search } from "@/app/_guard";
import { AuthorRequestLink, ReceiptLink } from "@/app/_honesty-link";
import { UnknownLink } from "@/app/_unknown-link";
import { getWebForm, webFormMetadata } from "@/app/_web-form";
import { sendQuestion } from "@/app/questions/new/_actions";
import { PublicHeader, PublicMessage, PublicPage } from "@/components/forms/public-page";
import { QuestionForm } from "@/components/forms/question-form";
import { buttonClass } from "@/components/ui/button";
import { brandOf } from "@/lib/forms/brand";
import { toQuestionForm } from "@/lib/forms/question-form/question-form";
import { frameOf } from "@/lib/forms/web-form/frame";
import { compactTextsOf, publicText } from "@/lib/platform/i18n/public-texts";

type Props = { searchParams: Promise<Search> };

export async function generateMetadata({ searchParams }: Props): Promise<Metadata> {
  return webFormMetadata(await searchParams, (t) => t("questionForm.pageTitle"));
}

/** The form to ask about one product. Opening it changes nothing. */
export default async function QuestionPage({ searchParams }: Props) {
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
  const storeUrl = (form.state === "open" ? form.subject.url : null) ?? frame.page ?? brand.url;
  const messagePage = (title: string, text: string, mark?: "done") => (
    <PublicPage lang={language} shop={brand} frame={frame}>
      <PublicMessage title={title} text={text} mark={mark}>
        {storeUrl && (
          <a href={storeUrl} target="_top" rel="noreferrer" className={buttonClass()}>
            {t("form.toStore", { shop: brand.name })}
          </a>
        )}
        {mark === "done" && receipt && <ReceiptLink clientId={client.id} token={receipt} language={language} />}
        {mark === "done" && <AuthorRequestLink clientId={client.id} shop={brand.name} language={language} />}
      </PublicMessage>
    </PublicPage>
  );
  if (form.state === "no_product")
    return messagePage(t("linkPage.noProductHeading"), t("linkPage.noProduct", { shop: brand.name }));
  if (sent !== undefined) {
    const next = client.require_verification ? t("questionForm.receivedConfirm") : t("questionForm.receivedNext");
    return messagePage(
      t("form.thanksHeading"),
      [t("questionForm.received"), next, sent === "mail" ? t("questionForm.receivedEmail") : ""].join(" ").trim(),
      "done",
    );
  }
  if (!client.collect_questions)
    return messagePage(t("questionForm.offHeading"), t("questionForm.off", { shop: brand.name }));
  return (
    <PublicPage lang={language} shop={brand} frame={frame}>
      <PublicHeader title={t("questionForm.heading")} text={t("questionForm.intro", { shop: brand.name })} />
      <QuestionForm
        form={toQuestionForm(form)}
        texts={compactTextsOf(language, "form", "questionForm")}
        accent={brand.accent}
        send={sendQuestion.bind(null, link)}
      />
    </PublicPage>
  );
}
