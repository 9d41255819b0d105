import { address, found, param, requirePerson, type Search, segment } from "@/app/_guard";
import { MailView } from "@/components/operator/mail/mail-view";
import { PageHead } from "@/components/portal/page-head";
import { Link } from "@/components/ui/link";
import { titled, translations } from "@/lib/accounts/sign-in/language-of-request";
import { getMail } from "@/lib/platform/mail/get-mail";

export const generateMetadata = () => titled("emailPreview.email");

type Props = { params: Promise<{ id: string }>; searchParams: Promise<Search> };

export default async function MailPage({ params, searchParams }: Props) {
  const t = await translations();
  const [{ id }, search] = await Promise.all([params, searchParams]);
  await requirePerson({ here: `/portal/mailbox/${id}`, search, role: "operator" });
  const mail = await found(getMail(segment(id)));
  return (
    <div className="mx-auto max-w-4xl px-4 py-6 lg:px-8">
      <p className="mb-4 text-sm">
        <Link className="link" href={address("/portal/mailbox", { client_id: param(search, "client_id") })}>
          {t("operations.allEmails")}
        </Link>
      </p>
      <PageHead title={mail.subject || t("operations.noSubject")} />
      <MailView mail={mail} />
    </div>
  );
}
