import { wakeSignal } from "@/lib/platform/jobs/wake";

/**
 * Tells this process's relay that facts were committed: call it after the commit where a second's delay would be felt.
 * Without it they leave within about a second.
 */
export const wakeRelay = (): void => wakeSignal("outbox").wake();
