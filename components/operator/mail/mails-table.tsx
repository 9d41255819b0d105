import { useTranslations } from "#messages";
import type { ClientName } from "@/components/accounts/client-choice";
import { StoreName } from "@/components/accounts/store-name";
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

type Props = { mails: Line[]; clients: readonly ClientName[]; href: (id: string) => string };

export function MailsTable({ mails, clients, href }: Props) {
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
            <Cell className="max-w-48 max-sm:hidden">
              {mail.client_id ? <StoreName id={mail.client_id} names={clients} /> : "–"}
            </Cell>
            <Cell className="figures text-muted sm:whitespace-nowrap">
              {t("operations.timeUtc", { moment: formatMoment(mail.created_at, "UTC", t.language) })}
            </Cell>
          </Row>
        ))}
      </Rows>
    </Table>
  );
}
