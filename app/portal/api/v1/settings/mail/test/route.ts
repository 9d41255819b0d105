import { methods } from "@/lib/http/methods";
import { route } from "@/lib/http/route";
import { testMailContract } from "@/lib/invitations/contract";
import { sendTestMail } from "@/lib/invitations/send-test-mail";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  route(testMailContract, async ({ actor, client, body: { to, ...of } }) => ({
    data: await sendTestMail(client.id, to, of, actor),
  })),
);
