import { createEngagementClient, type EngagementClient } from "@/lib/integrations/engagement/client";
import { asDeliveryError, type DeliveryError, DeliveryLostError } from "@/lib/integrations/engagement/delivery-error";
import {
  removeInteraction,
  removeUnconfirmed,
  rewriteContact,
  sendAttributes,
} from "@/lib/integrations/engagement/send-attributes";
import { MAX_REFUSALS, sendInteraction } from "@/lib/integrations/engagement/send-interaction";
import { defaultTiming, retryDelay, type Timing } from "@/lib/integrations/engagement/timing";
import { recordHealth } from "@/lib/integrations/record-run";
import {
  CREDENTIALS_UNREADABLE,
  type IntegrationWithSecrets,
  selectIntegration,
  unsealCredentials,
  withSecrets,
} from "@/lib/integrations/rows";
import { isHolderDeadSql } from "@/lib/platform/db/lease-holder";
import { pool } from "@/lib/platform/db/pool";
import { withLease } from "@/lib/platform/db/with-lease";
import type { GuardedRequest } from "@/lib/platform/http/guarded-fetch";
import type { EncodedNotices } from "@/lib/platform/notices";
import {
  type ClaimedDelivery,
  claimDue,
  type DeliveryKind,
  deliveryKinds,
  finishDelivery,
  finishUnsentInteraction,
  msUntilLeaseEnd,
  msUntilNextDue,
  type Progress,
  renewLeases,
  rescheduleDelivery,
} from "./sql";

/** Deliveries claimed at a time, and how many of them are sent concurrently. */
const BATCH_SIZE = 20;
const CONCURRENCY = 4;
/** Failing deliveries other than erasures are given up after this time. A manual retry starts it again. */
const FAIL_AFTER_MS = 3 * 86_400_000;

/** Erasures are sent even while the integration is paused. */
const erasureKinds: readonly DeliveryKind[] = ["interaction.removal", "interaction.search", "attributes.rewrite"];

type DeliveryWork = {
  integration: IntegrationWithSecrets<"engagement">;
  client: EngagementClient;
  timing: Timing;
  delivery: ClaimedDelivery;
};
type Outcome = "sent" | "skipped" | "failed" | "later" | "gone";

const deliveryHandlers: Record<DeliveryKind, (work: DeliveryWork) => Promise<Outcome>> = {
  interaction: sendInteraction,
  attributes: sendAttributes,
  "interaction.removal": removeInteraction,
  "interaction.search": removeUnconfirmed,
  "attributes.rewrite": rewriteContact,
};

export type DueDeliveryResult = {
  counts: Partial<Record<Outcome, number>>;
  /** milliseconds until the next delivery is due; null if there is none */
  nextInMs: number | null;
  /** milliseconds until another worker's lease ends, if there is one */
  leased?: number;
};

/** Sends due deliveries to a client's engagement platform, up to a batch. May run concurrently. */
export async function deliverDueRecords(
  clientId: string,
  { timing = defaultTiming, network }: { timing?: Timing; network?: GuardedRequest["network"] } = {},
): Promise<DueDeliveryResult> {
  const row = await selectIntegration(clientId, "engagement");
  if (!row) return { counts: {}, nextInMs: null };
  if (unsealCredentials(row) === null) {
    // Deliveries wait until the credentials are entered again.
    await recordHealth(clientId, "engagement", CREDENTIALS_UNREADABLE);
    return { counts: {}, nextInMs: null };
  }
  const integration = withSecrets(row, "engagement");
  const client = createEngagementClient(integration, {
    network,
    timeout: timing.timeout,
    defaultRetryAfter: timing.defaultRetryAfter,
  });
  const claimedAt = performance.now();
  const claimed = await claimDue(
    clientId,
    integration.enabled ? deliveryKinds : erasureKinds,
    BATCH_SIZE,
    timing.lease,
  );
  const counts: DueDeliveryResult["counts"] = {};
  const health: { worked: boolean; error: EncodedNotices | null } = {
    worked: false,
    error: null,
  };
  const queue = [...claimed];
  const unfinished = new Set(claimed);
  const work = async (isHeld: () => boolean) => {
    for (let delivery = queue.shift(); delivery && isHeld(); delivery = queue.shift()) {
      const outcome = await attemptDelivery({ integration, client, timing, delivery }, health);
      unfinished.delete(delivery);
      counts[outcome] = (counts[outcome] ?? 0) + 1;
    }
  };
  if (claimed.length > 0)
    await withLease(
      { acquiredAt: claimedAt, ms: timing.lease, renew: () => renewLeases(unfinished, timing.lease) },
      (isHeld) => Promise.all(Array.from({ length: CONCURRENCY }, () => work(isHeld))),
    );
  if (health.error !== null) await recordHealth(clientId, "engagement", health.error);
  else if (health.worked) await recordHealth(clientId, "engagement", null);
  const nextInMs = integration.enabled ? await msUntilNextDue(clientId) : null;
  const leased = nextInMs ? await msUntilLeaseEnd(clientId) : null;
  return { counts, nextInMs, ...(leased !== null && { leased }) };
}

/** Progress after an error. For erasures, counts consecutive rejections and records when they began. */
function progressAfter(known: Progress | null, { kind }: ClaimedDelivery, deliveryError: DeliveryError): Progress {
  const progress = { ...known, said: deliveryError.kept };
  if (!erasureKinds.includes(kind)) return progress;
  if (!deliveryError.answered) return progress;
  if (!deliveryError.final) return { ...progress, refusals: undefined, refused: undefined };
  return { ...progress, refusals: (known?.refusals ?? 0) + 1, refused: known?.refused ?? new Date().toISOString() };
}

/**
 * An erasure is retried while it may succeed, but ends after repeated rejections, so that a person learns that the data
 * is still there. Only after a while, since a gateway may reject valid requests for an hour.
 */
const hasFailedForGood = (
  { kind, since }: ClaimedDelivery,
  deliveryError: DeliveryError,
  { refusals = 0, refused }: Progress,
  { refusalPeriod }: Timing,
): boolean =>
  erasureKinds.includes(kind)
    ? deliveryError.final &&
      refusals >= MAX_REFUSALS &&
      refused !== undefined &&
      Date.now() - Date.parse(refused) >= refusalPeriod
    : Date.now() - since.getTime() > FAIL_AFTER_MS;

async function attemptDelivery(
  work: DeliveryWork,
  health: { worked: boolean; error: EncodedNotices | null },
): Promise<Outcome> {
  const { delivery, timing } = work;
  try {
    const outcome = await deliveryHandlers[delivery.kind](work);
    if (outcome === "sent" || outcome === "skipped") health.worked = true;
    return outcome;
  } catch (error) {
    if (error instanceof DeliveryLostError) return "gone";
    const deliveryError = asDeliveryError(error);
    if (deliveryError.affectsAllDeliveries) health.error = deliveryError.kept;
    // Keep what the attempt saved, above all whether a post began.
    const { rows } = await pool().query("select payload from deliveries where client_id = $1 and id = $2", [
      delivery.client_id,
      delivery.id,
    ]);
    const progress = progressAfter(rows[0]?.payload, delivery, deliveryError);
    if (hasFailedForGood(delivery, deliveryError, progress, timing)) {
      const end = delivery.kind === "interaction" ? finishUnsentInteraction : finishDelivery;
      await end(delivery, { outcome: "failed", reason: deliveryError.reason, progress });
      return "failed";
    }
    await rescheduleDelivery(delivery, retryDelay(timing, delivery.attempts), deliveryError.reason, progress);
    return "later";
  }
}

/** Makes deliveries of these workers due now if the workers are dead. */
export async function reclaimDeliveries(holders: number[]): Promise<void> {
  await pool().query(
    `update deliveries set due_at = now(), leased_by = null where (client_id, id) in (
       select client_id, id from deliveries
        where outcome = 'pending' and leased_by = any($1) and ${isHolderDeadSql("leased_by")} for update skip locked)`,
    [holders],
  );
}
