import { serve } from "inngest/next";
import { functions } from "@/inngest";
import { inngest, isInngestConfigured, serveOptions } from "@/inngest/client";

// Inngest calls the functions here and signs its requests. Without Inngest's keys nothing is served: the embedded
// engine calls functions in the process. Candor registers its functions itself, so unsigned sync requests are disabled.
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
