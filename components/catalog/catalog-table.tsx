import { Star } from "lucide-react";
import { useTranslations } from "#messages";
import { ProductImage } from "@/components/catalog/product-image";
import { Badge } from "@/components/ui/badge";
import { formatAverage } from "@/components/ui/format-average";
import { Link } from "@/components/ui/link";
import { type ColumnSorting, SortableHead } from "@/components/ui/sortable-head";
import { Cell, Head, Heads, Row, Rows, Table } from "@/components/ui/table";
import type { CatalogLine } from "@/lib/catalog/products/schema";

type Props = {
  products: CatalogLine[];
  href: (id: string) => string;
  /** by the products' ids */
  sorting: ColumnSorting;
};

/** Products as a table, with their ratings. */
export function CatalogTable({ products, href, sorting }: Props) {
  const t = useTranslations();
  return (
    <Table caption={t("navigation.products")}>
      <Heads>
        <SortableHead sorting={sorting}>{t("common.productId")}</SortableHead>
        <Head className="max-sm:hidden">{t("products.brand")}</Head>
        <Head className="max-sm:hidden">{t("products.category")}</Head>
        <Head className="max-sm:hidden">{t("products.family")}</Head>
        <Head className="text-right">{t("common.reviews")}</Head>
        <Head>{t("products.average")}</Head>
      </Heads>
      <Rows>
        {products.map((product) => (
          <Row key={product.id}>
            <Cell>
              <span className="flex items-center gap-3">
                <ProductImage src={product.image_url} />
                <span className="min-w-24 sm:min-w-40">
                  <Link href={href(product.id)} className="font-medium hover:underline">
                    {product.name}
                  </Link>
                  <span className="flex flex-wrap items-center gap-2 text-muted">
                    <span className="break-all">{product.id}</span>
                    {product.deleted && <Badge>{t("products.removed")}</Badge>}
                  </span>
                </span>
              </span>
            </Cell>
            <Cell className="max-sm:hidden">{product.brand}</Cell>
            <Cell className="max-w-56 text-muted max-sm:hidden">
              <span className="line-clamp-2">{product.category}</span>
            </Cell>
            <Cell className="break-all text-muted max-sm:hidden">
              {product.family_id === product.id ? "" : product.family_id}
            </Cell>
            <Cell className="figures text-right">
              {product.count > 0 ? (
                product.count.toLocaleString(t.language)
              ) : (
                <span className="text-muted">{t("common.none")}</span>
              )}
            </Cell>
            <Cell className="whitespace-nowrap">
              {product.average !== null && (
                <span className="flex items-center gap-1.5">
                  <Star aria-hidden="true" className="size-3.5 fill-star stroke-none" />
                  <span className="figures">{formatAverage(product.average, t.language)}</span>
                </span>
              )}
            </Cell>
          </Row>
        ))}
      </Rows>
    </Table>
  );
}
