import { setTimeout as sleep } from "node:timers/promises";
import { SettingsError } from "@/lib/platform/env";
import { log } from "@/lib/platform/log";
import { perProcess } from "@/lib/platform/process";
import { checkLastingSecret } from "@/lib/platform/secrets/lasting-secret";

const AGAIN_MS = 1_000;

const known = () => perProcess("known-database", () => ({ sure: false, noted: false }));

/** Whether this process has found its database to be one that the secrets which are set belong to. */
export const isKnownDatabase = (): boolean => known().sure;

/** Finds that out, once, and once more where only then the secret is to be noted. Throws {@link SettingsError} for another's database, and what a database says that is away. */
export async function knowDatabase({ note = false } = {}): Promise<void> {
  const state = known();
  if (state.sure && (state.noted || !note)) return;
  await checkLastingSecret({ note });
  state.sure = true;
  state.noted ||= note;
}

/**
 * Waits until the database answers, asking every second, and notes the secret at the first start. Throws
 * {@link SettingsError} where it turns out to be another's. Resolves to false when told to stop before.
 */
export async function awaitDatabase(stopped: AbortSignal): Promise<boolean> {
  for (let told = false; !stopped.aborted; ) {
    try {
      await knowDatabase({ note: true });
      return true;
    } catch (error) {
      if (error instanceof SettingsError) throw error;
      if (!told) log.warn({ err: error }, "the database isn't responding yet; waiting for it");
      told = true;
    }
    await sleep(AGAIN_MS, undefined, { signal: stopped }).catch(() => undefined); // told to stop, which the loop sees
  }
  return false;
}
