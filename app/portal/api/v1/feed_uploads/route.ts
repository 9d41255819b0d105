import { createUploadContract } from "@/lib/feeds/contract";
import { beginUpload } from "@/lib/feeds/upload-feed";
import { methods } from "@/lib/http/methods";
import { route } from "@/lib/http/route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  route(createUploadContract, async ({ client, body }) => ({ data: await beginUpload(client, body) })),
);
