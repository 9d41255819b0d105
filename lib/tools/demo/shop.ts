import { getClient } from "@/lib/accounts/stores/get-client";
import { brandOf } from "@/lib/forms/brand";
import { catalog } from "@/lib/tools/demo/catalog";

/** Prices in euro and descriptions in the demo store, by family, since variants differ only in color. */
const familyPages: Record<string, { price: number; text: string }> = {
  "FF-LAMP": {
    price: 129,
    text: "A lamp for long evenings: dims to a glow, turns with one finger, stands where it is put.",
  },
  "FF-MUG": { price: 18, text: "Thrown by hand and fired twice. Keeps coffee warm, survives the dishwasher." },
  "FF-THROW": { price: 89, text: "Woven from the wool of young sheep. Warm without weight." },
  "FF-CHAIR": { price: 349, text: "Put together in ten minutes, meant for decades of reading." },
  "FF-KETTLE": { price: 64, text: "Pours exactly where you want it. The handle stays cool." },
  "FF-PLANTER": { price: 24, text: "Frost-proof terracotta that breathes, with a saucer." },
  "FF-CANDLE": { price: 14, text: "Pure beeswax and a forest in winter. Burns for forty hours." },
  "FF-CLOCK": { price: 59, text: "Ash, two hands, and no ticking at all." },
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
