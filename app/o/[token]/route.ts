import { methods } from "@/lib/api/methods";
import { route } from "@/lib/api/route";
import { optOutPage } from "@/lib/forms/invitation/opt-out-page";
import { optOutContract, optOutPageContract } from "@/lib/invitations/contract";
import { readOptOut, resumeInvitations, stopInvitations } from "@/lib/invitations/opt-out";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  route(optOutPageContract, async ({ params, headers }) => {
    const language = headers.get("accept-language");
    const about = await readOptOut(params.token, language);
    return optOutPage(!about ? "unknown" : about.stopped ? "stopped" : "ask", about, language);
  }),
  route(optOutContract, async ({ params, query, headers }) => {
    const language = headers.get("accept-language");
    const about = await readOptOut(params.token, language);
    if (about) await (query.again ? resumeInvitations(about) : stopInvitations(about));
    const resumed = query.again && !about?.complained;
    return optOutPage(!about ? "unknown" : resumed ? "resumed" : "stopped", about, language);
  }),
);
