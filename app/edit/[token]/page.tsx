import type { Metadata } from "next";
import { cache } from "react";
import { param, type Search } from "@/app/_guard";
import { AuthorRequestLink, HonestyLink } from "@/app/_honesty-link";
import { UnknownLink, unknownLinkMetadata } from "@/app/_unknown-link";
import { sendEdit, sendQuestionEdit } from "@/app/edit/[token]/_actions";
import { PublicHeader, PublicMessage, PublicPage } from "@/components/forms/public-page";
import { QuestionForm } from "@/components/forms/question-form";
import { ReviewForm } from "@/components/forms/review-form";
import { buttonClass } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import { brandOf } from "@/lib/forms/brand";
import { type OpenEdit, openEdit } from "@/lib/forms/edit/open-edit";
import { toQuestionEditForm, toReviewEditForm } from "@/lib/forms/edit/to-edit-form";
import { questionFormPath, webFormPath } from "@/lib/forms/web-form/link";
import { reasonText } from "@/lib/moderation/rejections/reason-text";
import { compactTextsOf, publicText } from "@/lib/platform/i18n/public-texts";

type Props = { params: Promise<{ token: string }>; searchParams: Promise<Search> };

const loadEdit = cache(openEdit);

const headingOf = ({ language, edited }: Pick<OpenEdit, "language" | "edited">) =>
  publicText(language)(edited.kind === "question" ? "editPage.headingQuestion" : "editPage.headingReview");

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const link = await loadEdit((await params).token);
  if (link.state === "unknown") return unknownLinkMetadata();
  return {
    title: { absolute: `${headingOf(link)} – ${link.client.display_name}` },
    robots: { index: false },
  };
}

/** The page where authors change what wasn't published. Opening it changes nothing. */
export default async function EditPage({ params, searchParams }: Props) {
  const { token } = await params;
  const link = await loadEdit(token);
  if (link.state === "unknown") return <UnknownLink text={(t) => t("editPage.unknown")} />;
  const { client, language, edited } = link;
  const [t, brand] = [publicText(language), brandOf(client)];
  const writeAgainHref = writeAgainPath(link);
  if (link.state === "expired")
    return (
      <PublicPage lang={language} shop={brand}>
        <PublicMessage title={t("linkPage.expiredHeading")} text={t("editPage.expired")}>
          {writeAgainHref && (
            <a href={writeAgainHref} className={buttonClass()}>
              {t("editPage.writeAgain")}
            </a>
          )}
        </PublicMessage>
      </PublicPage>
    );
  if (param(await searchParams, "sent") !== undefined)
    return (
      <PublicPage lang={language} shop={brand}>
        <PublicMessage
          title={t("form.thanksHeading")}
          text={`${t("editPage.received")} ${t("editPage.receivedNext")}`}
          mark="done"
        >
          {brand.url && (
            <a href={brand.url} rel="noreferrer" className={buttonClass()}>
              {t("form.toStore", { shop: brand.name })}
            </a>
          )}
          {edited.kind !== "question" && <HonestyLink clientId={client.id} language={language} />}
          <AuthorRequestLink clientId={client.id} shop={brand.name} language={language} />
        </PublicMessage>
      </PublicPage>
    );
  const { accepted, reject_reason } = edited.item;
  return (
    <PublicPage lang={language} shop={brand}>
      <PublicHeader
        title={headingOf(link)}
        text={accepted === false && edited.kind !== "question" ? t("editPage.again") : t("editPage.pending")}
      />
      {accepted === false && (
        <Notice tone="warn">
          <strong className="font-semibold">{t("editPage.rejected", { shop: brand.name })}</strong>{" "}
          {reasonText(language, reject_reason ?? "unspecified")}
        </Notice>
      )}
      {edited.kind === "question" ? (
        <QuestionForm
          form={await toQuestionEditForm(link, edited.item)}
          texts={compactTextsOf(language, "form", "questionForm")}
          submit={t("editPage.submit")}
          accent={brand.accent}
          send={sendQuestionEdit.bind(null, token)}
        />
      ) : (
        <ReviewForm
          form={await toReviewEditForm(link)}
          texts={compactTextsOf(language, "form", "reviewForm")}
          submit={t("editPage.submit")}
          accent={brand.accent}
          send={sendEdit.bind(null, token)}
        />
      )}
    </PublicPage>
  );
}

/** The path of a new form for the same subject; null for seller reviews, which need an invitation. */
function writeAgainPath({ client, language, edited }: OpenEdit): string | null {
  if (edited.kind === "seller_review") return null;
  const { product_id, family_id, product_name } = edited.item;
  const about = {
    client_id: client.id,
    key: product_id ?? undefined,
    url_key: family_id ?? undefined,
    name: product_name ?? undefined,
    lang: language,
  };
  return edited.kind === "question" ? questionFormPath(about) : webFormPath(about);
}
