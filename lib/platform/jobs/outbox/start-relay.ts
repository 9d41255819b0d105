import { repeat } from "@/lib/platform/jobs/loop";
import { relayToInngest } from "@/lib/platform/jobs/outbox/relay";
import type { JobEvent } from "@/lib/platform/jobs/protocol";
import { wakeSignal } from "@/lib/platform/jobs/wake";

/** Sends facts to Inngest as they are committed, until the answered function is called. */
export function startRelay(send: (events: JobEvent[]) => Promise<unknown>): () => Promise<void> {
  const stopped = new AbortController();
  const loop = repeat("outbox", () => relayToInngest(send), {
    milliseconds: 1_000,
    signal: wakeSignal("outbox"),
    stopped: stopped.signal,
  });
  return async () => {
    stopped.abort();
    await loop;
  };
}
