import { handlerOf, type JobsApp } from "@/lib/platform/jobs/functions";
import { repeat } from "@/lib/platform/jobs/loop";
import { WakeSignal } from "@/lib/platform/jobs/wake";
import { log } from "@/lib/platform/log";

/** The URL at which Inngest calls the functions. */
export type ServeAddress = { serveOrigin: string; servePath: string };

/**
 * Registers the functions with Inngest, like a deployment ("sync"). Idempotent. Throws with Inngest's message if it
 * rejects them, as with a wrong signing key.
 */
export async function registerFunctions(app: JobsApp, served: ServeAddress): Promise<void> {
  const reply = await handlerOf(app, { ...served, enableUnauthedSync: true })({
    method: "PUT",
    url: new URL(served.servePath, served.serveOrigin).href,
    body: "{}",
    headers: {},
  });
  if (reply.status !== 200) {
    const { message } = JSON.parse(reply.body) as { message?: string };
    throw new Error(`Inngest rejected the functions (${reply.status}): ${message ?? "no reason given"}`);
  }
}

/** Retries until Inngest has registered the functions or the returned function is called. Logs failures. */
export function startRegistration(app: JobsApp, served: ServeAddress): () => Promise<void> {
  const done = new AbortController();
  const register = async () => {
    await registerFunctions(app, served);
    log.info({ at: served.serveOrigin, functions: app.functions.length }, "registered the functions with Inngest");
    done.abort();
  };
  const loop = repeat("registration", register, {
    milliseconds: 1_000,
    signal: new WakeSignal(),
    stopped: done.signal,
  });
  return async () => {
    done.abort();
    await loop;
  };
}
