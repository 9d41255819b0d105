import { methods } from "@/lib/api/methods";
import { route } from "@/lib/api/route";
import { uploadLogoContract } from "@/lib/reviews/uploads/contract";
import { storeLogo } from "@/lib/reviews/uploads/store-logo";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  route(uploadLogoContract, async ({ client, body }) => ({ data: await storeLogo(client, body.file) })),
);
