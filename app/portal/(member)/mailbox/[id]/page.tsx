import { decodeSegment, orNotFound, param, pathWithQuery, requirePerson, type Search } from "@/app/_guard";
import { MailView } from "@/components/operator/mail/mail-view";
import { PageHead } from "@/components/portal/page-head";
import { Link } from "@/components/ui/link";
import { titleMetadata, translations } from "@/lib/accounts/language/request-language";
import { getMail } from "@/lib/platform/mail/get-mail";

export const generateMetadata = () => titleMetadata("emailPreview.email");

type Props = { params: Promise<{ id: string }>; searchParams: Promise<Search> };

export default async function MailPage({ params, searchParams }: Props) {
  const t = await translations();
  const [{ id }, search] = await Promise.all([params, searchParams]);
  await requirePerson({ path: `/portal/mailbox/${id}`, search, role: "operator" });
  const mail = await orNotFound(getMail(decodeSegment(id)));
  return (
    <div className="mx-auto max-w-4xl px-4 py-6 lg:px-8">
      <p className="mb-4 text-sm">
        <Link className="link" href={pathWithQuery("/portal/mailbox", { client_id: param(search, "client_id") })}>
          {t("operations.allEmails")}
        </Link>
      </p>
      <PageHead title={mail.subject || t("operations.noSubject")} />
      <MailView mail={mail} />
    </div>
  );
}
