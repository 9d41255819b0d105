import { methods } from "@/lib/api/methods";
import { route } from "@/lib/api/route";
import { testMailContract } from "@/lib/invitations/contract";
import { sendTestMail } from "@/lib/invitations/send-test-mail";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  route(testMailContract, async ({ actor, client, body: { to, ...of } }) => ({
    data: await sendTestMail(client.id, to, of, actor),
  })),
);
