import { setTimeout as sleep } from "node:timers/promises";
import { SettingsError } from "@/lib/platform/env";
import { log } from "@/lib/platform/log";
import { perProcess } from "@/lib/platform/process";
import { checkLastingSecret } from "@/lib/platform/secrets/lasting-secret";

const RETRY_MS = 1_000;

const known = () => perProcess("database-check", () => ({ sure: false, noted: false }));

/** Whether this process checked that the secrets belong to its database. */
export const isDatabaseChecked = (): boolean => known().sure;

/**
 * Checks it once, and again if only now the secret is to be recorded (`note`). Throws {@link SettingsError} if the
 * database belongs to another secret, or the error of an unavailable database.
 */
export async function checkDatabase({ note: record = false } = {}): Promise<void> {
  const state = known();
  if (state.sure && (state.noted || !record)) return;
  await checkLastingSecret({ note: record });
  state.sure = true;
  state.noted ||= record;
}

/**
 * Waits until the database responds, checking every second, and records the secret at the first start. Throws {@link
 * SettingsError} if the database belongs to another secret. Resolves to false if aborted.
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
    await sleep(RETRY_MS, undefined, { signal: stopped }).catch(() => undefined); // aborted: the loop ends
  }
  return false;
}
