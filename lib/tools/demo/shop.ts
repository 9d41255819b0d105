import { getClient } from "@/lib/accounts/stores/get-client";
import { brandOf } from "@/lib/forms/brand";
import { catalog } from "@/lib/tools/demo/catalog";

/** Prices in euro and descriptions in the demo store, by family, since variants differ only in color. */
const familyPages: Record<string, { price: number; text: string }> = {
  "FF-LAMP": {
    price: 129,
    text: "A reading lamp with a dimmer, a swivel head and a heavy base that keeps it steady.",
  },
  "FF-MUG": { price: 18, text: "Hand-thrown stoneware, fired twice. Keeps coffee warm and is dishwasher-safe." },
  "FF-THROW": { price: 89, text: "Woven from pure lambswool. Warm and light." },
  "FF-CHAIR": { price: 349, text: "Assembled in ten minutes and built to last for decades." },
  "FF-KETTLE": { price: 64, text: "Pours exactly where you want it. The handle stays cool." },
  "FF-PLANTER": { price: 24, text: "Frost-proof, breathable terracotta. Includes a saucer." },
  "FF-CANDLE": { price: 14, text: "Pure beeswax with a pine scent. Burns for 40 hours." },
  "FF-CLOCK": { price: 59, text: "Solid ash with a silent movement." },
};

export type DemoProduct = { id: string; name: string; brand: string; image: string; price: number; text: string };

const products: DemoProduct[] = catalog.map(({ id, name, brand, image, family }) => ({
  id,
  name,
  brand,
  image: `/demo/${image}.svg`,
  ...(familyPages[family] ?? { price: 0, text: "" }),
}));

/** The demo store as visitors see it; null if there is no demo account. */
export async function getDemoShop() {
  const client = await getClient("demo.candor.example");
  return client && { client: client.id, ...brandOf(client), products };
}
