import { uploadPartContract } from "@/lib/feeds/contract";
import { keepPart } from "@/lib/feeds/upload-feed";
import { methods } from "@/lib/http/methods";
import { route } from "@/lib/http/route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  route(uploadPartContract, async ({ client, params, body }) => {
    await keepPart(client, params.id, Number(params.part), new Uint8Array(await body.file.arrayBuffer()));
    return undefined;
  }),
);
