import { methods } from "@/lib/api/methods";
import { route } from "@/lib/api/route";
import { uploadImageContract } from "@/lib/reviews/uploads/contract";
import { storeUpload } from "@/lib/reviews/uploads/store-upload";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  route(uploadImageContract, ({ client, body }) => storeUpload(client, body.file)),
);
