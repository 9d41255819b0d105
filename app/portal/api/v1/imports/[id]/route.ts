import { methods } from "@/lib/api/methods";
import { route } from "@/lib/api/route";
import {
  changeReviewImportContract,
  deleteReviewImportContract,
  getReviewImportContract,
} from "@/lib/transfer/imports/contract";
import { getReviewImport } from "@/lib/transfer/imports/list-review-imports";
import { changeImport, deleteImport } from "@/lib/transfer/imports/prepare-import";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  route(getReviewImportContract, async ({ client, params }) => ({ data: await getReviewImport(client, params.id) })),
  route(changeReviewImportContract, async ({ client, params, body }) => {
    await changeImport(client, params.id, body);
    return { data: await getReviewImport(client, params.id) };
  }),
  route(deleteReviewImportContract, async ({ client, params }) => {
    await deleteImport(client, params.id);
    return undefined;
  }),
);
