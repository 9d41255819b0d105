import type { Metadata } from "next";
import { param, type Search } from "@/app/_guard";
import { UnknownLink } from "@/app/_unknown-link";
import { webFormAt, webFormMetadata } from "@/app/_web-link";
import { sendQuestion } from "@/app/questions/new/_actions";
import { PublicHeader, PublicMessage, PublicPage } from "@/components/forms/public-page";
import { QuestionForm } from "@/components/forms/question-form";
import { buttonClass } from "@/components/ui/button";
import { brandOf } from "@/lib/forms/brand";
import { toQuestionForm } from "@/lib/forms/question-form/question-form";
import { questionWords } from "@/lib/forms/question-form/words";
import { formWords } from "@/lib/forms/words";
import { fill } from "@/lib/platform/i18n/languages";

type Props = { searchParams: Promise<Search> };

export async function generateMetadata({ searchParams }: Props): Promise<Metadata> {
  return webFormMetadata(await searchParams, (language) => questionWords[language].page_title);
}

/** The form by which visitors ask about one product. Opening it changes nothing. */
export default async function QuestionPage({ searchParams }: Props) {
  const search = await searchParams;
  const found = await webFormAt(search);
  if (!found) return <UnknownLink text={(spoken) => formWords[spoken].unknown_shop} />;
  const { link, form } = found;
  const { client, language } = form;
  const words = formWords[language];
  const own = questionWords[language];
  const brand = brandOf(client);
  const back = (form.state === "open" ? form.subject.url : null) ?? brand.url;
  const say = (title: string, text: string, mark?: "done") => (
    <PublicPage lang={language} shop={brand}>
      <PublicMessage title={title} text={text} mark={mark}>
        {back && (
          <a href={back} rel="noreferrer" className={buttonClass()}>
            {fill(words.to_shop, { shop: brand.name })}
          </a>
        )}
      </PublicMessage>
    </PublicPage>
  );
  if (form.state === "no_product") return say(words.no_product_heading, fill(words.no_product, { shop: brand.name }));
  const sent = param(search, "sent");
  if (sent !== undefined) {
    const next = client.require_verification ? own.sent_confirm : own.sent_next;
    return say(words.thanks_heading, [own.sent, next, sent === "mail" ? own.sent_mail : ""].join(" ").trim(), "done");
  }
  if (!client.collect_questions) return say(own.off_heading, fill(own.off, { shop: brand.name }));
  return (
    <PublicPage lang={language} shop={brand}>
      <PublicHeader title={own.heading} text={fill(own.intro, { shop: brand.name })} />
      <QuestionForm
        form={toQuestionForm(form)}
        words={words}
        own={own}
        accent={brand.accent}
        send={sendQuestion.bind(null, link)}
      />
    </PublicPage>
  );
}
