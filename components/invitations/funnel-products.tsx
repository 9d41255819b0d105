import { useWords } from "#words";
import { Link } from "@/components/ui/link";
import { percent } from "@/components/ui/percent";
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
  const t = useWords();
  const opened = products.some((line) => line.opened !== null);
  const clicked = products.some((line) => line.clicked !== null);
  return (
    <Table caption={t("Products asked for")}>
      <Heads>
        <Head>{t("Product")}</Head>
        <Head className="text-right">{t("Sent§mails")}</Head>
        {opened && <Head className="text-right max-sm:hidden">{t("Opened")}</Head>}
        {clicked && <Head className="text-right max-sm:hidden">{t("Clicked")}</Head>}
        <Head className="text-right">{t("Reviewed")}</Head>
        <Head className="text-right">{t("Share")}</Head>
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
            <Cell className="figures text-right">{line.sent.toLocaleString(t.locale)}</Cell>
            {opened && (
              <Cell className="figures text-right max-sm:hidden">{line.opened?.toLocaleString(t.locale)}</Cell>
            )}
            {clicked && (
              <Cell className="figures text-right max-sm:hidden">{line.clicked?.toLocaleString(t.locale)}</Cell>
            )}
            <Cell className="figures text-right">{line.reviewed.toLocaleString(t.locale)}</Cell>
            <Cell className="figures text-right whitespace-nowrap text-muted">
              {line.sent > 0 ? percent(line.reviewed / line.sent, t.locale) : ""}
            </Cell>
          </Row>
        ))}
      </Rows>
    </Table>
  );
}
