import { methods } from "@/lib/http/methods";
import { route } from "@/lib/http/route";
import { previewMailContract } from "@/lib/invitations/contract";
import { previewInvitation } from "@/lib/invitations/preview-invitation";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  route(previewMailContract, async ({ client, body }) => ({ data: await previewInvitation(client.id, body) })),
);
