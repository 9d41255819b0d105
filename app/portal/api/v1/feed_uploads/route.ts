import { methods } from "@/lib/api/methods";
import { route } from "@/lib/api/route";
import { createUploadContract } from "@/lib/feeds/contract";
import { createUpload } from "@/lib/feeds/upload-feed";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  route(createUploadContract, async ({ client, body }) => ({ data: await createUpload(client, body) })),
);
