import { setTimeout as sleep } from "node:timers/promises";
import { SettingsError } from "@/lib/platform/env";
import { log } from "@/lib/platform/log";
import { perProcess } from "@/lib/platform/process";
import { checkLastingSecret } from "@/lib/platform/secrets/lasting-secret";

const RETRY_MS = 1_000;

const known = () => perProcess("database-check", () => ({ sure: false, noted: false }));

/** Whether this process has found its database to be one that the secrets which are set belong to. */
export const isDatabaseChecked = (): boolean => known().sure;

/** Finds that out, once, and once more where only then the secret is to be noted. Throws {@link SettingsError} for another's database, and what a database says that is away. */
export async function checkDatabase({ note = false } = {}): Promise<void> {
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
export async function waitForDatabase(stopped: AbortSignal): Promise<boolean> {
  for (let isLogged = false; !stopped.aborted; ) {
    try {
      await checkDatabase({ note: true });
      return true;
    } catch (error) {
      if (error instanceof SettingsError) throw error;
      if (!isLogged) log.warn({ err: error }, "the database isn't responding yet; waiting for it");
      isLogged = true;
    }
    await sleep(RETRY_MS, undefined, { signal: stopped }).catch(() => undefined); // told to stop, which the loop sees
  }
  return false;
}
