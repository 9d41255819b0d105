import { claimInvitations, unsentInvitations } from "@/lib/invitations/claim-invitations";
import { sendInvitation } from "@/lib/invitations/send-invitation";

// A process that claims a client's invitations and sends unsent ones as the job does, for tests that kill it.
const [clientId = ""] = process.argv.slice(2);
await claimInvitations(clientId);
const ids = await unsentInvitations(clientId);
await Promise.all(
  [0, 1, 2].map(async (lane) => {
    for (const id of ids.filter((_, index) => index % 3 === lane)) await sendInvitation(clientId, id);
  }),
);
process.exit(0);
