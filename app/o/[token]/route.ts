import { methods } from "@/lib/http/methods";
import { route } from "@/lib/http/route";
import { optOutContract, optOutPageContract } from "@/lib/invitations/contract";
import { readOptOut, resumeInvitations, stopInvitations } from "@/lib/invitations/opt-out";
import { optOutPage } from "@/lib/invitations/opt-out-page";

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
