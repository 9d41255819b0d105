import { methods } from "@/lib/http/methods";
import { route } from "@/lib/http/route";
import { registerContract } from "@/lib/personal-data/contract";
import { listRegister } from "@/lib/personal-data/list-register";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  route(registerContract, ({ client, query, url }) => listRegister(client, query, url)),
);
