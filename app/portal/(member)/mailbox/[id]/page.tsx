import { cache } from "react";
import { decodeSegment, orNotFound, param, pathWithQuery, requirePerson, type Search } from "@/app/_guard";
import { MailView } from "@/components/operator/mail/mail-view";
import { Breadcrumbs } from "@/components/portal/breadcrumbs";
import { PageHead } from "@/components/portal/page-head";
import { namedMetadata, translations } from "@/lib/accounts/language/request-language";
import { getMail } from "@/lib/platform/mail/get-mail";

type Props = { params: Promise<{ id: string }>; searchParams: Promise<Search> };

const loadMail = cache(getMail);

export const generateMetadata = ({ params, searchParams }: Props) =>
  namedMetadata("navigation.mailbox", async () => {
    await requirePerson({ path: "/portal/mailbox", search: await searchParams, role: "operator" });
    const { subject } = await loadMail(decodeSegment((await params).id));
    return subject || (await translations())("operations.noSubject");
  });

export default async function MailPage({ params, searchParams }: Props) {
  const t = await translations();
  const [{ id }, search] = await Promise.all([params, searchParams]);
  await requirePerson({ path: `/portal/mailbox/${id}`, search, role: "operator" });
  const mail = await orNotFound(loadMail(decodeSegment(id)));
  const subject = mail.subject || t("operations.noSubject");
  return (
    <div className="mx-auto max-w-4xl px-4 py-6 lg:px-8">
      <Breadcrumbs
        trail={[
          {
            name: t("navigation.mailbox"),
            href: pathWithQuery("/portal/mailbox", { client_id: param(search, "client_id") }),
          },
        ]}
        current={subject}
      />
      <PageHead title={subject} />
      <MailView mail={mail} />
    </div>
  );
}
