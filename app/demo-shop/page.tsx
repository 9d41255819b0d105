import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { euro, Frame } from "@/app/demo-shop/_frame";
import { getDemoShop } from "@/lib/tools/demo/shop";

export const metadata: Metadata = { title: { absolute: "Fjord & Fern – demo shop" } };

/** The demo store's product list: one call loads the stars of all products. */
export default async function DemoShopPage() {
  const shop = await getDemoShop();
  if (!shop) notFound();
  return (
    <Frame client={shop.client} name={shop.name} load="seller stars">
      <h1 className="mb-8 text-3xl font-semibold">Things for a calm home</h1>
      <ul className="grid grid-cols-2 gap-x-4 gap-y-8 sm:grid-cols-3 sm:gap-x-6 lg:grid-cols-4">
        {shop.products.map(({ id, name, image, price }) => (
          <li key={id}>
            <a href={`/demo-shop/${id}`} className="group flex flex-col gap-1">
              {/* biome-ignore lint/performance/noImgElement: a drawing of a few hundred bytes */}
              <img
                src={image}
                alt=""
                width={240}
                height={240}
                className="mb-2 w-full rounded-card transition-transform group-hover:-translate-y-0.5"
              />
              <span className="font-medium group-hover:underline group-hover:underline-offset-3">{name}</span>
              <span className="text-muted">{euro(price)}</span>
              <span data-candor="stars" data-product-id={id} className="block min-h-6 text-sm" />
            </a>
          </li>
        ))}
      </ul>
    </Frame>
  );
}
