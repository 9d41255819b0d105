import { Product, ProductFilter } from "@/lib/catalog/products/schema";
import { endpoint } from "@/lib/platform/http/contract";
import { page } from "@/lib/platform/http/fields";

export const listProductsContract = endpoint({
  id: "products.list",
  method: "GET",
  path: "/v1/products",
  tag: "Products",
  summary: "List the catalogue, by product id",
  description: "Products that left the feed are listed too, with `deleted: true`.",
  auth: "management",
  query: ProductFilter,
  response: page(Product),
});
