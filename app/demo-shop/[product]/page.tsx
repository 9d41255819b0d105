import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { decodeSegment } from "@/app/_guard";
import { euro, Frame } from "@/app/demo-shop/_frame";
import { buttonClass } from "@/components/ui/button";
import { getDemoShop } from "@/lib/tools/demo/shop";

type Props = { params: Promise<{ product: string }> };

async function loadProduct({ params }: Props) {
  const shop = await getDemoShop();
  const id = decodeSegment((await params).product);
  const product = shop?.products.find((one) => one.id === id);
  if (!shop || !product) notFound();
  return { shop, product };
}

export async function generateMetadata(props: Props): Promise<Metadata> {
  const { shop, product } = await loadProduct(props);
  return { title: { absolute: `${product.name} – ${shop.name}` } };
}

/** A product page of the demo store with all widget parts. */
export default async function DemoProductPage(props: Props) {
  const { shop, product } = await loadProduct(props);
  return (
    <Frame
      client={shop.client}
      name={shop.name}
      product={product.id}
      load="badge seller reviews questions structured_data"
    >
      <div className="grid items-center gap-8 sm:grid-cols-2 sm:gap-12">
        {/* biome-ignore lint/performance/noImgElement: a drawing of a few hundred bytes */}
        <img src={product.image} alt={product.name} width={480} height={480} className="w-full rounded-card" />
        <div className="flex flex-col items-start gap-4">
          <p className="text-sm text-muted">{product.brand}</p>
          <h1 className="text-3xl font-semibold">{product.name}</h1>
          <div id="candor-badge" className="min-h-6" />
          <p className="text-xl">{euro(product.price)}</p>
          <p className="max-w-md">{product.text}</p>
          <a href="/demo-shop" className={buttonClass({ size: "large" })}>
            View all products
          </a>
        </div>
      </div>
      {/* Placeholders reserve the height, so that nothing moves when the reviews arrive. */}
      <div id="candor-reviews" className="mt-14 min-h-160 border-t pt-10" />
      <div id="candor-questions" className="mt-10 min-h-48 border-t pt-10" />
    </Frame>
  );
}
