import { repeat } from "@/lib/jobs/loop";
import type { JobEvent } from "@/lib/jobs/protocol";
import { wakeSignal } from "@/lib/jobs/wake";
import { relayToInngest } from "@/lib/outbox/relay";

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
