import { methods } from "@/lib/api/methods";
import { route } from "@/lib/api/route";
import { previewMailContract } from "@/lib/invitations/contract";
import { previewInvitation } from "@/lib/invitations/preview-invitation";
import { takeToken } from "@/lib/platform/http/rate-limit";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  route(previewMailContract, async ({ actor, client, body }) => {
    // Templates are filled in many times over, by a thread that all who edit some share.
    takeToken("mail_preview", actor.id);
    return { data: await previewInvitation(client.id, body) };
  }),
);
