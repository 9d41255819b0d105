import { methods } from "@/lib/api/methods";
import { route } from "@/lib/api/route";
import { previewMailContract } from "@/lib/invitations/contract";
import { previewInvitation } from "@/lib/invitations/preview-invitation";
import { takeToken } from "@/lib/platform/http/rate-limit";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  route(previewMailContract, async ({ actor, client, body }) => {
    // Limited because filling in templates is expensive and runs on a shared thread.
    takeToken("mail_preview", actor.id);
    return { data: await previewInvitation(client.id, body) };
  }),
);
