import { methods } from "@/lib/api/methods";
import { route } from "@/lib/api/route";
import { runReviewImportContract } from "@/lib/transfer/imports/contract";
import { getReviewImport } from "@/lib/transfer/imports/list-review-imports";
import { requestStep } from "@/lib/transfer/imports/request-step";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  route(runReviewImportContract, async ({ actor, client, params, body }) => {
    await requestStep(actor, client, params.id, body.step);
    return { data: await getReviewImport(client, params.id) };
  }),
);
