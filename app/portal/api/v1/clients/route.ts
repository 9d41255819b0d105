import { createClientContract } from "@/lib/accounts/contract";
import { methods } from "@/lib/api/methods";
import { route } from "@/lib/api/route";
import { createClient } from "@/lib/settings/create-client";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  route(createClientContract, async ({ actor, body: { id, account_id, display_name, test } }) => {
    const settings = display_name === undefined ? {} : { display_name, email_name: display_name };
    await createClient({ id, accountId: account_id, settings, test, actor });
    return { data: { id } };
  }),
);
