import { methods } from "@/lib/http/methods";
import { route } from "@/lib/http/route";
import { listProductsContract } from "@/lib/products/contract";
import { listProducts } from "@/lib/products/list-products";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  route(listProductsContract, ({ client, query, url }) => listProducts(client, query, url)),
);
