import { methods } from "@/lib/api/methods";
import { route } from "@/lib/api/route";
import { createReviewImportContract } from "@/lib/transfer/imports/contract";
import { getReviewImport } from "@/lib/transfer/imports/list-review-imports";
import { prepareImport } from "@/lib/transfer/imports/prepare-import";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  route(createReviewImportContract, async ({ actor, client, body }) => {
    const { id } = await prepareImport(actor, client, body);
    return { data: await getReviewImport(client, id) };
  }),
);
