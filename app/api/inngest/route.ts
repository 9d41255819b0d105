import { serve } from "inngest/next";
import { functions } from "@/inngest";
import { inngest, isInngestConfigured, serveOptions } from "@/inngest/client";

// Inngest calls the functions here, signed with the signing key. Without its keys nobody has business here: the embedded
// engine's calls stay in the process. Candor registers its functions by itself, so that an unsigned request has no need to.
const handlers = serve({ client: inngest, functions, ...serveOptions(), enableUnauthedSync: false });
type Handler = (typeof handlers)["POST"];

const onlyForInngest =
  (handler: Handler): Handler =>
  (...request) =>
    isInngestConfigured() ? handler(...request) : Promise.resolve(new Response("Not found", { status: 404 }));

export const dynamic = "force-dynamic";
export const GET = onlyForInngest(handlers.GET);
export const POST = onlyForInngest(handlers.POST);
export const PUT = onlyForInngest(handlers.PUT);
