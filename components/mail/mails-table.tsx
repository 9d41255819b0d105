import Link from "next/link";
import { Cell, Head, Row, Table } from "@/components/ui/table";
import { momentWords } from "@/components/ui/time";

type Line = { id: string; to: string; subject: string; client_id: string | null; created_at: string };

export function MailsTable({ mails, href }: { mails: Line[]; href: (id: string) => string }) {
  return (
    <Table caption="Mails">
      <thead>
        <tr>
          <Head>Subject</Head>
          <Head>To</Head>
          <Head>Client</Head>
          <Head>Written</Head>
        </tr>
      </thead>
      <tbody>
        {mails.map((mail) => (
          <Row key={mail.id}>
            <Cell className="max-w-md min-w-56">
              <Link href={href(mail.id)} className="font-medium text-accent hover:underline">
                {mail.subject || "No subject"}
              </Link>
            </Cell>
            <Cell className="max-w-64 truncate">{mail.to}</Cell>
            <Cell className="text-muted">{mail.client_id}</Cell>
            <Cell className="figures whitespace-nowrap text-muted">{momentWords(mail.created_at, "UTC")} UTC</Cell>
          </Row>
        ))}
      </tbody>
    </Table>
  );
}
