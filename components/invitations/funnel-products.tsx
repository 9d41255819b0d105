import { useTranslations } from "#messages";
import { formatShare } from "@/components/insights/analytics/format";
import { Link } from "@/components/ui/link";
import { Cell, Head, Heads, Row, Rows, Table } from "@/components/ui/table";

type Line = {
  product_id: string;
  name: string | null;
  sent: number;
  opened: number | null;
  clicked: number | null;
  reviewed: number;
};

export function FunnelProducts({ products, href }: { products: Line[]; href: (id: string) => string }) {
  const t = useTranslations();
  const opened = products.some((line) => line.opened !== null);
  const clicked = products.some((line) => line.clicked !== null);
  return (
    <Table caption={t("invitations.invitedProducts")}>
      <Heads>
        <Head>{t("common.product")}</Head>
        <Head className="text-right">{t("invitations.sent")}</Head>
        {opened && <Head className="text-right max-sm:hidden">{t("invitations.opened")}</Head>}
        {clicked && <Head className="text-right max-sm:hidden">{t("invitations.clicked")}</Head>}
        <Head className="text-right">{t("invitations.reviewed")}</Head>
        <Head className="text-right">{t("invitations.conversion")}</Head>
      </Heads>
      <Rows>
        {products.map((line) => (
          <Row key={line.product_id}>
            <Cell className="max-w-80 min-w-40">
              <Link href={href(line.product_id)} className="block font-medium break-words hover:underline">
                {line.name ?? line.product_id}
              </Link>
              {line.name && <span className="block break-words text-muted">{line.product_id}</span>}
            </Cell>
            <Cell className="figures text-right">{line.sent.toLocaleString(t.language)}</Cell>
            {opened && (
              <Cell className="figures text-right max-sm:hidden">{line.opened?.toLocaleString(t.language)}</Cell>
            )}
            {clicked && (
              <Cell className="figures text-right max-sm:hidden">{line.clicked?.toLocaleString(t.language)}</Cell>
            )}
            <Cell className="figures text-right">{line.reviewed.toLocaleString(t.language)}</Cell>
            <Cell className="figures text-right whitespace-nowrap text-muted">
              {line.sent > 0 ? formatShare(line.reviewed, line.sent, t) : ""}
            </Cell>
          </Row>
        ))}
      </Rows>
    </Table>
  );
}
