import { methods } from "@/lib/api/methods";
import { route } from "@/lib/api/route";
import { uploadPartContract } from "@/lib/feeds/contract";
import { savePart } from "@/lib/feeds/upload-feed";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  route(uploadPartContract, async ({ client, params, body }) => {
    await savePart(client, params.id, Number(params.part), new Uint8Array(await body.file.arrayBuffer()));
    return undefined;
  }),
);
