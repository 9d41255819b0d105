import type { Metadata } from "next";
import { cache } from "react";
import { param, type Search } from "@/app/_guard";
import { UnknownLink, unknownMetadata } from "@/app/_unknown-link";
import { sendReviews } from "@/app/r/[token]/_actions";
import { PublicHeader, PublicMessage, PublicPage } from "@/components/forms/public-page";
import { ReviewForm } from "@/components/forms/review-form";
import { buttonClass } from "@/components/ui/button";
import { brandOf } from "@/lib/forms/brand";
import { openInvitation, shopOfInvitation, toForm } from "@/lib/forms/invitation/open-invitation";
import { webFormLink, webFormPath } from "@/lib/forms/web-form/link";
import { formWords } from "@/lib/forms/words";
import { fill } from "@/lib/platform/i18n/languages";

type Props = { params: Promise<{ token: string }>; searchParams: Promise<Search> };

const opened = cache(openInvitation);
const shopOf = cache(shopOfInvitation);

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const { token } = await params;
  const link = await opened(token);
  if (link.state === "unknown") return unknownMetadata(await shopOf(token));
  const title = `${formWords[link.language].page_title} – ${link.client.display_name}`;
  return { title: { absolute: title }, robots: { index: false } };
}

/** The form behind an invitation's link. Opening it changes nothing. */
export default async function InvitationPage({ params, searchParams }: Props) {
  const { token } = await params;
  const search = await searchParams;
  const link = await opened(token);
  if (link.state === "unknown")
    return <UnknownLink text={(spoken) => formWords[spoken].unknown} shop={await shopOf(token)} />;
  const { client, language } = link;
  const words = formWords[language];
  const shop = client.display_name;
  const brand = brandOf(client);
  if (link.state === "expired") {
    return (
      <PublicPage lang={language} shop={brand}>
        <PublicMessage title={words.expired_heading} text={words.expired}>
          <ul aria-label={words.expired_items} className="flex flex-col gap-2">
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
    const said =
      sent === 0 ? words.thanks_none : sent === 1 ? words.thanks_one : fill(words.thanks_many, { count: sent });
    return (
      <PublicPage lang={language} shop={brand}>
        <PublicMessage
          title={words.thanks_heading}
          mark="done"
          text={sent === 0 ? said : `${said} ${words.thanks_next}`}
        >
          <a href={`/r/${token}`} className={buttonClass()}>
            {link.reviews.length < link.items.length ? words.thanks_more : words.thanks_change}
          </a>
          {brand.url && (
            <a href={brand.url} rel="noreferrer" className="link text-sm">
              {fill(words.to_shop, { shop })}
            </a>
          )}
        </PublicMessage>
      </PublicPage>
    );
  }
  const form = toForm(link, {
    item: param(search, "item"),
    score: param(search, "score"),
    later: param(search, "later"),
  });
  return (
    <PublicPage lang={language} shop={brand}>
      <PublicHeader
        title={words.heading}
        text={fill(link.items.length === 1 ? words.intro_one : words.intro, { shop })}
      />
      <ReviewForm form={form} words={words} accent={brand.accent} send={sendReviews.bind(null, token)} />
    </PublicPage>
  );
}
