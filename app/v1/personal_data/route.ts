import { methods } from "@/lib/api/methods";
import { route } from "@/lib/api/route";
import { viewPersonalDataContract } from "@/lib/privacy/contract";
import { personOf } from "@/lib/privacy/person";
import { viewPersonalData } from "@/lib/privacy/view-personal-data";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  route(viewPersonalDataContract, async ({ client, query }) => ({
    data: await viewPersonalData(client, personOf(query)),
  })),
);
