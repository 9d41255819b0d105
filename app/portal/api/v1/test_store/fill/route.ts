import { resolveOtherClient } from "@/lib/accounts/sign-in/resolve-client";
import { methods } from "@/lib/api/methods";
import { route } from "@/lib/api/route";
import { fillTestStoreContract } from "@/lib/test-clock/contract";
import { fillStore } from "@/lib/test-clock/fill-store";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  route(fillTestStoreContract, async ({ actor, client, body }) => ({
    data: await fillStore(actor, client, await resolveOtherClient(actor, body.from, "admin")),
  })),
);
