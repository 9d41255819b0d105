import { methods } from "@/lib/api/methods";
import { route } from "@/lib/api/route";
import { registerContract } from "@/lib/privacy/contract";
import { listRegister } from "@/lib/privacy/list-register";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  route(registerContract, ({ client, query, url }) => listRegister(client, query, url)),
);
