import { serve } from "inngest/next";
import { functions } from "@/inngest";
import { inngest, onInngest } from "@/inngest/client";

// Inngest calls the functions here, signed with the signing key. On the embedded engine nobody has business here: its
// calls stay in the process.
const handlers = serve({ client: inngest, functions });
type Handler = (typeof handlers)["POST"];

const onlyOnInngest =
  (handler: Handler): Handler =>
  (...request) =>
    onInngest() ? handler(...request) : Promise.resolve(new Response("Not found", { status: 404 }));

export const dynamic = "force-dynamic";
export const GET = onlyOnInngest(handlers.GET);
export const POST = onlyOnInngest(handlers.POST);
export const PUT = onlyOnInngest(handlers.PUT);
