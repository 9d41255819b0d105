import { type Engagement, engagementOf } from "@/lib/integrations/engagement/client";
import { asDeliveryError, type DeliveryError, Lost } from "@/lib/integrations/engagement/delivery-error";
import {
  removeInteraction,
  removePosted,
  rewriteContact,
  tellContact,
} from "@/lib/integrations/engagement/tell-contact";
import { MOST_REFUSALS, tellReview } from "@/lib/integrations/engagement/tell-review";
import { pauseAfter, type Timing, usual } from "@/lib/integrations/engagement/timing";
import { recordHealth } from "@/lib/integrations/record-run";
import { LOST, type Opened, opened, secretsOf, selectIntegration } from "@/lib/integrations/rows";
import { isDead } from "@/lib/platform/db/holder";
import { pool } from "@/lib/platform/db/pool";
import { underLease } from "@/lib/platform/db/under-lease";
import type { GuardedRequest } from "@/lib/platform/http/guarded-fetch";
import type { Kept } from "@/lib/platform/notices";
import {
  type Claimed,
  claimDue,
  type DeliveryKind,
  deliveryKinds,
  nextDue,
  nextLeaseEnd,
  type Progress,
  postpone,
  renewLeases,
  settle,
  settleUntold,
} from "./sql";

/** Deliveries that are taken together, and how many of them are under way at once. */
const TOGETHER = 20;
const AT_ONCE = 4;
/** After so long what still fails is given up, unless it is an erasure; somebody may ask for as long again. */
const GIVEN_UP_AFTER = 3 * 86_400_000;

/** What was erased leaves the platform even while nothing else is told. */
const erasures: readonly DeliveryKind[] = ["interaction.removal", "interaction.search", "attributes.rewrite"];

type Work = {
  integration: Opened<"engagement">;
  ask: Engagement;
  timing: Timing;
  delivery: Claimed;
};
type Outcome = "sent" | "skipped" | "failed" | "later" | "gone";

const worker: Record<DeliveryKind, (work: Work) => Promise<Outcome>> = {
  interaction: tellReview,
  attributes: tellContact,
  "interaction.removal": removeInteraction,
  "interaction.search": removePosted,
  "attributes.rewrite": rewriteContact,
};

export type Delivered = {
  counts: Partial<Record<Outcome, number>>;
  /** milliseconds until there is more to do; null: nothing waits */
  wait: number | null;
  /** milliseconds until somebody else's lease ends; left out where there is none */
  leased?: number;
};

/** Tells the engagement platform of a client what is due, a bounded part of it. Any number may do it at once. */
export async function deliverDue(
  clientId: string,
  { timing = usual, network }: { timing?: Timing; network?: GuardedRequest["network"] } = {},
): Promise<Delivered> {
  const row = await selectIntegration(clientId, "engagement");
  if (!row) return { counts: {}, wait: null };
  if (secretsOf(row) === null) {
    // Everything waits until somebody enters them again.
    await recordHealth(clientId, "engagement", LOST);
    return { counts: {}, wait: null };
  }
  const integration = opened(row, "engagement");
  const ask = engagementOf(integration, {
    network,
    timeout: timing.timeout,
    patienceSeconds: timing.patienceSeconds,
  });
  const taken = performance.now();
  const claimed = await claimDue(clientId, integration.enabled ? deliveryKinds : erasures, TOGETHER, timing.lease);
  const counts: Delivered["counts"] = {};
  const health: { worked: boolean; fault: Kept | null } = {
    worked: false,
    fault: null,
  };
  const queue = [...claimed];
  const held = new Set(claimed);
  const work = async (isHeld: () => boolean) => {
    for (let delivery = queue.shift(); delivery && isHeld(); delivery = queue.shift()) {
      const outcome = await attempt({ integration, ask, timing, delivery }, health);
      held.delete(delivery);
      counts[outcome] = (counts[outcome] ?? 0) + 1;
    }
  };
  if (claimed.length > 0)
    await underLease({ taken, ms: timing.lease, renew: () => renewLeases(held, timing.lease) }, (isHeld) =>
      Promise.all(Array.from({ length: AT_ONCE }, () => work(isHeld))),
    );
  if (health.fault !== null) await recordHealth(clientId, "engagement", health.fault);
  else if (health.worked) await recordHealth(clientId, "engagement", null);
  const wait = integration.enabled ? await nextDue(clientId) : null;
  const leased = wait ? await nextLeaseEnd(clientId) : null;
  return { counts, wait, ...(leased !== null && { leased }) };
}

/** What is known of a delivery after a fault; refusals of an erasure with no other answer between are counted, and since when. */
function noted(known: Progress | null, { kind }: Claimed, fault: DeliveryError): Progress {
  const progress = { ...known, said: fault.kept };
  if (!erasures.includes(kind)) return progress;
  if (!fault.answered) return progress;
  if (!fault.final) return { ...progress, refusals: undefined, refused: undefined };
  return { ...progress, refusals: (known?.refusals ?? 0) + 1, refused: known?.refused ?? new Date().toISOString() };
}

/**
 * An erasure is tried for as long as it may succeed; what the platform refuses time and again ends, so that somebody
 * hears that it is still there. Not at once: what stands in front of the platform may refuse for an hour what it takes.
 */
const isGivenUp = (
  { kind, since }: Claimed,
  fault: DeliveryError,
  { refusals = 0, refused }: Progress,
  { insist }: Timing,
): boolean =>
  erasures.includes(kind)
    ? fault.final && refusals >= MOST_REFUSALS && refused !== undefined && Date.now() - Date.parse(refused) >= insist
    : Date.now() - since.getTime() > GIVEN_UP_AFTER;

async function attempt(work: Work, health: { worked: boolean; fault: Kept | null }): Promise<Outcome> {
  const { delivery, timing } = work;
  try {
    const outcome = await worker[delivery.kind](work);
    if (outcome === "sent" || outcome === "skipped") health.worked = true;
    return outcome;
  } catch (error) {
    if (error instanceof Lost) return "gone";
    const fault = asDeliveryError(error);
    if (fault.everywhere) health.fault = fault.kept;
    // What a post left behind stays: whether it began, above all.
    const { rows } = await pool().query("select payload from deliveries where client_id = $1 and id = $2", [
      delivery.client_id,
      delivery.id,
    ]);
    const progress = noted(rows[0]?.payload, delivery, fault);
    if (isGivenUp(delivery, fault, progress, timing)) {
      const end = delivery.kind === "interaction" ? settleUntold : settle;
      await end(delivery, { outcome: "failed", reason: fault.reason, progress });
      return "failed";
    }
    await postpone(delivery, pauseAfter(timing, delivery.attempts), fault.reason, progress);
    return "later";
  }
}

/** Makes due at once what these processes were delivering, if they are dead. */
export async function reclaimDeliveries(holders: number[]): Promise<void> {
  await pool().query(
    `update deliveries set due_at = now(), leased_by = null where (client_id, id) in (
       select client_id, id from deliveries
        where outcome = 'pending' and leased_by = any($1) and ${isDead("leased_by")} for update skip locked)`,
    [holders],
  );
}
