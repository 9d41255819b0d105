import { now } from "@/lib/platform/clock";
import { LEASE_MS, withLease } from "@/lib/platform/db/with-lease";
import { newId } from "@/lib/platform/ids";
import { log } from "@/lib/platform/log";
import { mailProvider, type Provider, type SendResult } from "@/lib/platform/mail/provider";
import { extractAddress } from "@/lib/platform/mail/sender";
import { perProcess } from "@/lib/platform/process";
import { storableText, truncateText } from "@/lib/platform/storable-text";
import {
  acquireBatchLease,
  acquireLeases,
  finishMails,
  type MailToSend,
  moveToMailbox,
  postponeMails,
  renewLeases,
  selectBatch,
  selectMails,
} from "./sql";

/**
 * The state of an email. `kept`: there is no email service, or it is a test store's: it's in the mailbox. `busy`: another process is sending it.
 * `gone`: it doesn't exist. `failed`: it will never be sent. `later`: not sent this time.
 */
export type MailState = "kept" | "sent" | "failed" | "busy" | "gone" | "later";

/** `afterMs`: the pause that the email service requested. `reason`: why emails are delayed, for logs. */
export type Delivery = { states: Map<string, MailState>; afterMs: number | null; reason: string | null };

/**
 * Sends queued emails to the email service in batches, or stores them without one, and those of test stores always. Safe to repeat and to call
 * concurrently. If it's unknown whether an email was sent (the response was lost, or the process died), it's retried
 * only with the same key and batch, and fails if the service doesn't deduplicate, or no longer. The emails of a
 * rejected batch are sent one by one, so that one doesn't block the others. Deletes the text of sent emails.
 */
export async function deliverMails(ids: string[]): Promise<Delivery> {
  const provider = mailProvider();
  const delivery: Delivery = { states: new Map(ids.map((id) => [id, "gone"])), afterMs: null, reason: null };
  const found = await selectMails(ids);
  const queued = found.filter((mail) => mail.status === "queued" && !isEmptied(mail));
  for (const { id, status } of found) if (status !== "queued") delivery.states.set(id, status);
  for (const mail of found) if (isEmptied(mail)) delivery.states.set(mail.id, "later");
  if (queued.length === 0) return delivery;
  const kept = provider ? queued.filter(({ test }) => test) : queued;
  if (kept.length > 0)
    for (const [id, status] of await moveToMailbox(kept.map(({ id }) => id))) delivery.states.set(id, status);
  if (!provider) return delivery;
  const groups = groupsOf(
    queued.filter(({ test }) => !test),
    provider,
  );
  const worker = async () => {
    for (let group = groups.shift(); group; group = groups.shift()) {
      const paused = pause().until - Date.now();
      if (paused > 0) {
        for (const { id } of group.mails) delivery.states.set(id, "later");
        Object.assign(delivery, { afterMs: paused, reason: "The email service asked us to pause sending." });
      } else await deliverGroup(provider, group, delivery);
    }
  };
  await Promise.all(Array.from({ length: provider.concurrency }, worker));
  const requested = new Set(ids);
  for (const id of delivery.states.keys()) if (!requested.has(id)) delivery.states.delete(id); // other emails of a batch
  return delivery;
}

type Group = { batch: string | null; mails: MailToSend[] };

/**
 * Groups emails by call: those of a batch that may have been sent, otherwise as many fresh ones as the service accepts.
 */
function groupsOf(queued: MailToSend[], provider: Provider): Group[] {
  const groups: Group[] = [];
  const batches = Map.groupBy(queued, ({ batch }) => batch);
  for (const [batch, mails] of batches) {
    if (batch !== null) groups.push({ batch, mails });
    else {
      const fresh = mails.filter(isFresh);
      for (let from = 0; from < fresh.length; from += provider.batchSize)
        groups.push({ batch: null, mails: fresh.slice(from, from + provider.batchSize) });
      for (const mail of mails) if (!isFresh(mail)) groups.push({ batch: null, mails: [mail] });
    }
  }
  return groups;
}

/** It was definitely not sent, and no process holds it. */
const isFresh = ({ handed_for_ms, doubtful_for_ms }: MailToSend): boolean =>
  handed_for_ms === null && doubtful_for_ms === null;

/** An erasure deleted its text while it was being sent, and it wasn't sent: the job that queued it writes it again. */
const isEmptied = (mail: MailToSend): boolean =>
  mail.status === "queued" && isFresh(mail) && mail.html === null && mail.text === null;

async function deliverGroup(provider: Provider, group: Group, delivery: Delivery): Promise<void> {
  const acquiredAt = performance.now();
  const leasedGroup = await leaseGroup(provider, group, delivery);
  const [first] = leasedGroup.mails;
  if (!first) return;
  const renew = () => renewLeases(leasedGroup.mails.map(({ id }) => id));
  const results = await withLease({ acquiredAt, ms: LEASE_MS, renew }, async (isHeld) =>
    isHeld() ? provider.send(leasedGroup.mails, leasedGroup.batch ?? first.idempotency_key) : null,
  );
  if (!results) {
    // Acquiring the lease took so long that it expired: another process may hold it.
    for (const { id } of leasedGroup.mails) delivery.states.set(id, "busy");
    return;
  }
  // If a batch may have been sent before, a rejection now proves nothing: one by one, with other keys, emails could be
  // sent twice.
  const rejectedTogether =
    leasedGroup.mails.length > 1 &&
    leasedGroup.mails.every(isFresh) &&
    results.every((each) => each.outcome === "refused" && !each.keyWasUsed);
  if (rejectedTogether) {
    // The error of the batch may concern a single email or the call.
    await postponeMails(
      leasedGroup.mails.map((mail) => ({ id: mail.id, error: "rejected in a batch", inDoubt: false })),
    );
    for (const { id } of leasedGroup.mails)
      for (const mail of (await selectMails([id])).filter((each) => !isEmptied(each)))
        await deliverGroup(provider, { batch: null, mails: [mail] }, delivery);
    return;
  }
  await saveResults(provider, leasedGroup.mails, results, delivery);
}

/** Leases the emails of the group that this process may send now, and records the state of the others. */
async function leaseGroup(provider: Provider, { batch, mails }: Group, delivery: Delivery): Promise<Group> {
  const { states } = delivery;
  const batchMails = batch === null ? mails : await selectBatch(batch);
  const longestDoubtMs = Math.max(...batchMails.map(({ doubtful_for_ms }) => doubtful_for_ms ?? -1));
  if (longestDoubtMs >= provider.idempotentForMs && !batchMails.some(isHeld)) {
    const error = "The response was lost or the process died. The email may have been sent, so it isn't sent again.";
    await finishMails(batchMails.map(({ id }) => ({ id, status: "failed", provider_id: null, error })));
    for (const { id } of mails) states.set(id, "failed");
    return { batch, mails: [] };
  }
  const key = batch ?? (mails.length > 1 ? newId("batch") : null);
  const leased = new Set(
    batch === null
      ? await acquireLeases(
          mails.map(({ id }) => id),
          provider.name,
          key,
        )
      : await acquireBatchLease(batch),
  );
  for (const { id } of mails) if (!leased.has(id)) states.set(id, "busy");
  const leasedMails = batchMails.filter(({ id }) => leased.has(id));
  return { batch: leasedMails.length > 1 || batch !== null ? key : null, mails: leasedMails };
}

const isHeld = ({ handed_for_ms }: MailToSend): boolean => handed_for_ms !== null && handed_for_ms < LEASE_MS;

async function saveResults(
  provider: Provider,
  mails: MailToSend[],
  results: SendResult[],
  delivery: Delivery,
): Promise<void> {
  const settled: Parameters<typeof finishMails>[0] = [];
  const later: Parameters<typeof postponeMails>[0] = [];
  for (const [index, mail] of mails.entries()) {
    const result = sanitizeResult(results[index] as SendResult, mails);
    if (result.outcome === "sent") {
      settled.push({ id: mail.id, status: "sent", provider_id: result.providerId, error: null });
      delivery.states.set(mail.id, "sent");
      continue;
    }
    const { outcome, error } = result;
    log.warn({ mail: mail.id, outcome, reason: error }, "an email was not accepted");
    const inDoubt = outcome === "unknown" && provider.idempotentForMs > 0;
    if (outcome !== "refused" && (outcome === "later" || inDoubt)) {
      // A rejection is about this attempt only: an earlier one may still have been sent.
      later.push({ id: mail.id, error, inDoubt: inDoubt || mail.doubtful_for_ms !== null });
      delivery.states.set(mail.id, "later");
      delivery.reason = error;
      if (result.afterMs !== undefined) delivery.afterMs = Math.max(delivery.afterMs ?? 0, result.afterMs);
    } else {
      settled.push({ id: mail.id, status: "failed", provider_id: null, error });
      delivery.states.set(mail.id, "failed");
    }
  }
  await finishMails(settled, now());
  await postponeMails(later);
  if (delivery.afterMs !== null) pause().until = Math.max(pause().until, Date.now() + delivery.afterMs);
}

/** The time until which the email service asked this process to pause (real time). */
const pause = () => perProcess("mail-pause", () => ({ until: 0 }));

/** Ids are far shorter; a mail server's id is its last response. */
const MAX_ID_LENGTH = 200;
const MAX_ERROR_LENGTH = 2_000;

/**
 * Cleans a service's text for the database: if storing the error failed, the state of the whole call would be unknown.
 * Also masks recipients that services repeat, since logs and job errors outlive an erasure.
 */
function sanitizeResult(result: SendResult, mails: MailToSend[]): SendResult {
  if (result.outcome === "sent") {
    const { providerId } = result;
    return {
      ...result,
      providerId: typeof providerId === "string" ? storableText(providerId, MAX_ID_LENGTH) : providerId,
    };
  }
  // Longest first: one address may be a prefix of another.
  const addresses = mails
    .map(({ to }) => extractAddress(to).replace(/[\\^$.*+?()[\]{}|]/g, "\\$&"))
    .sort((one, other) => other.length - one.length);
  const error = storableText(result.error).replace(new RegExp(addresses.join("|"), "gi"), "***");
  return { ...result, error: truncateText(error, MAX_ERROR_LENGTH) };
}
