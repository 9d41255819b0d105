import { methods } from "@/lib/http/methods";
import { route } from "@/lib/http/route";
import { viewPersonalDataContract } from "@/lib/personal-data/contract";
import { personOf } from "@/lib/personal-data/person";
import { viewPersonalData } from "@/lib/personal-data/view-personal-data";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  route(viewPersonalDataContract, async ({ client, query }) => ({
    data: await viewPersonalData(client, personOf(query)),
  })),
);
