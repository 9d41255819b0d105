import { useTranslations } from "#messages";
import { Link } from "@/components/ui/link";
import { Cell, Head, Heads, Row, Rows, Table } from "@/components/ui/table";
import { formatMoment } from "@/lib/platform/i18n/format";

type Line = {
  id: string;
  to: string;
  subject: string;
  client_id: string | null;
  created_at: string;
};

export function MailsTable({ mails, href }: { mails: Line[]; href: (id: string) => string }) {
  const t = useTranslations();
  return (
    <Table caption={t("navigation.emails")}>
      <Heads>
        <Head>{t("emailPreview.subject")}</Head>
        <Head className="max-sm:hidden">{t("emailPreview.to")}</Head>
        <Head className="max-sm:hidden">{t("navigation.store")}</Head>
        <Head>{t("emailPreview.created")}</Head>
      </Heads>
      <Rows>
        {mails.map((mail) => (
          <Row key={mail.id}>
            <Cell className="max-w-md min-w-40">
              <Link href={href(mail.id)} className="font-medium text-accent hover:underline">
                {mail.subject || t("operations.noSubject")}
              </Link>
              <span className="block break-all text-muted sm:hidden">{mail.to}</span>
            </Cell>
            <Cell className="max-w-64 truncate max-sm:hidden">{mail.to}</Cell>
            <Cell className="text-muted max-sm:hidden">{mail.client_id}</Cell>
            <Cell className="figures text-muted sm:whitespace-nowrap">
              {t("operations.timeUtc", { moment: formatMoment(mail.created_at, "UTC", t.language) })}
            </Cell>
          </Row>
        ))}
      </Rows>
    </Table>
  );
}
