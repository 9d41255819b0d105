import { methods } from "@/lib/http/methods";
import { route } from "@/lib/http/route";
import { uploadImageContract } from "@/lib/uploads/contract";
import { storeUpload } from "@/lib/uploads/store-upload";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  route(uploadImageContract, ({ client, body }) => storeUpload(client, body.file)),
);
