import { endpoint } from "@/lib/http/contract";
import { page } from "@/lib/http/fields";
import { Product, ProductFilter } from "@/lib/products/schema";

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
