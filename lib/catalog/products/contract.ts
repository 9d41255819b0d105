import { Product, ProductFilter } from "@/lib/catalog/products/schema";
import { endpoint } from "@/lib/platform/http/contract";
import { page } from "@/lib/platform/http/fields";

export const listProductsContract = endpoint({
  id: "products.list",
  method: "GET",
  path: "/v1/products",
  tag: "Products",
  summary: "List products by id",
  description: "Includes products that are no longer in the feed, with `deleted: true`.",
  auth: "management",
  query: ProductFilter,
  response: page(Product),
  example: {
    query: "client_id=shop.example.com&limit=1",
    answer: {
      data: [
        {
          id: "LAMP-OAK-S",
          family_id: "LAMP-OAK",
          brand: "Lanterna",
          name: "Oak table lamp, small",
          category: "Lighting > Table lamps",
          url: "https://shop.example.com/lamp-oak-s",
          image_url: "https://shop.example.com/lamp-oak-s.jpg",
          mpn: null,
          gtin14s: ["00012345678905"],
          tags: [],
          match_status: null,
          deleted: false,
          properties: { colour: "oak" },
          created_at: "2026-02-01T03:00:08Z",
          updated_at: "2026-05-02T03:00:11Z",
        },
      ],
      links: {
        next: "https://reviews.example.com/v1/products?client_id=shop.example.com&limit=1&after=WyJyZXZpZXdzLmNyZWF0ZWQi",
      },
    },
  },
});
