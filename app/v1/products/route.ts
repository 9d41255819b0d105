import { methods } from "@/lib/api/methods";
import { route } from "@/lib/api/route";
import { listProductsContract } from "@/lib/catalog/products/contract";
import { listProducts } from "@/lib/catalog/products/list-products";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  route(listProductsContract, ({ client, query, url }) => listProducts(client, query, url)),
);
