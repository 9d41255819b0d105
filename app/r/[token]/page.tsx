import type { Metadata } from "next";
import { cache } from "react";
import { param, type Search } from "@/app/_guard";
import { AuthorRequestLink, HonestyLink, ReceiptLink } from "@/app/_honesty-link";
import { UnknownLink, unknownLinkMetadata } from "@/app/_unknown-link";
import { sendReviews } from "@/app/r/[token]/_actions";
import { headerTexts } from "@/app/r/[token]/_header-texts";
import { PublicHeader, PublicMessage, PublicPage } from "@/components/forms/public-page";
import { ReviewForm } from "@/components/forms/review-form";
import { buttonClass } from "@/components/ui/button";
import { brandOf } from "@/lib/forms/brand";
import { clientOfInvitation, openInvitation, toInvitationForm } from "@/lib/forms/invitation/open-invitation";
import { receiptsOfInvitation } from "@/lib/forms/invitation/receipts-of-invitation";
import { webFormLink, webFormPath } from "@/lib/forms/web-form/link";
import { compactTextsOf, publicText } from "@/lib/platform/i18n/public-texts";

type Props = { params: Promise<{ token: string }>; searchParams: Promise<Search> };

const loadInvitation = cache(openInvitation);
const shopOf = cache(clientOfInvitation);

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const { token } = await params;
  const link = await loadInvitation(token);
  if (link.state === "unknown") return unknownLinkMetadata(await shopOf(token));
  const title = `${publicText(link.language)("reviewForm.pageTitle")} – ${link.client.display_name}`;
  return { title: { absolute: title }, robots: { index: false } };
}

/** The form behind an invitation's link. Opening it changes nothing. */
export default async function InvitationPage({ params, searchParams }: Props) {
  const { token } = await params;
  const search = await searchParams;
  const link = await loadInvitation(token);
  if (link.state === "unknown") return <UnknownLink text={(t) => t("linkPage.unknown")} shop={await shopOf(token)} />;
  const { client, language } = link;
  const t = publicText(language);
  const shop = client.display_name;
  const brand = brandOf(client);
  if (link.state === "expired") {
    return (
      <PublicPage lang={language} shop={brand}>
        <PublicMessage title={t("linkPage.expiredHeading")} text={t("reviewForm.expired")}>
          <ul aria-label={t("reviewForm.expiredItems")} className="flex flex-col gap-2">
            {link.items.map((item) => (
              <li key={item.position}>
                <a href={webFormPath(webFormLink(client, item, language))} className="link">
                  {item.name ?? item.item_id}
                </a>
              </li>
            ))}
          </ul>
        </PublicMessage>
      </PublicPage>
    );
  }
  const sent = Number(param(search, "sent") ?? Number.NaN);
  if (sent >= 0) {
    const receipts = await receiptsOfInvitation(link);
    return (
      <PublicPage lang={language} shop={brand}>
        <PublicMessage
          title={t("form.thanksHeading")}
          mark="done"
          text={
            sent === 0
              ? t("reviewForm.noted")
              : `${t("reviewForm.received", { n: sent })} ${t("reviewForm.receivedNext")}`
          }
        >
          <a href={`/r/${token}`} className={buttonClass()}>
            {link.reviews.length < link.items.length ? t("reviewForm.reviewOthers") : t("reviewForm.edit")}
          </a>
          {brand.url && (
            <a href={brand.url} rel="noreferrer" className="link text-sm">
              {t("form.toStore", { shop })}
            </a>
          )}
          {receipts.map(({ token, name }) => (
            <ReceiptLink
              key={token}
              clientId={client.id}
              token={token}
              name={receipts.length > 1 ? (name ?? shop) : undefined}
              language={language}
            />
          ))}
          <HonestyLink clientId={client.id} language={language} />
          <AuthorRequestLink clientId={client.id} shop={shop} language={language} />
        </PublicMessage>
      </PublicPage>
    );
  }
  const form = toInvitationForm(link, {
    item: param(search, "item"),
    score: param(search, "score"),
    later: param(search, "later"),
  });
  return (
    <PublicPage lang={language} shop={brand}>
      <PublicHeader {...headerTexts(t, link.items.length, shop)} />
      <ReviewForm
        form={form}
        texts={compactTextsOf(language, "form", "reviewForm")}
        accent={brand.accent}
        send={sendReviews.bind(null, token)}
      />
    </PublicPage>
  );
}
