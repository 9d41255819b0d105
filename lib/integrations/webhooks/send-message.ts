import { Webhook as Signer } from "standardwebhooks";
import { activeSecrets, unreadableReason, unsealAddress, type WebhookRow } from "@/lib/integrations/webhooks/rows";
import { DELEGATED_EVENT } from "@/lib/invitations/values";
import { now } from "@/lib/platform/clock";
import { env } from "@/lib/platform/env";
import { AppError } from "@/lib/platform/errors";
import { type GuardedRequest, type GuardedResponse, guardedFetch } from "@/lib/platform/http/guarded-fetch";
import { type EncodedNotices, encodeError, encodeNotices } from "@/lib/platform/notices";

const TIMEOUT_MS = 15_000;

/** An event to send. */
export type WebhookMessage = {
  message_id: string;
  event: string;
  data: Record<string, unknown>;
  happened_at: Date;
};

/** Stored bytes of a response, and the time to wait for them after the status. */
const MAX_ANSWER_BYTES = 1_024;
const ANSWER_TIMEOUT_MS = 2_000;

/** One attempt. `answer`: the beginning of the response as text. */
export type DeliveryAttempt = {
  at: Date;
  duration_ms: number;
  status: number | null;
  error: EncodedNotices | null;
  answer: string | null;
};

/** Result of an attempt. `status` is null without a response; `error` contains nothing of what was sent. */
export type Outcome =
  | { ok: true; status: number }
  | {
      ok: false;
      status: number | null;
      error: EncodedNotices;
      isGone: boolean;
      retryAfterSeconds: number | null;
      /** it wasn't sent, and won't be */
      withdrawn?: true;
      /** it wasn't sent, but will be from then on; not a failed attempt */
      later?: Date;
      /** the attempt failed before anything was sent */
      notSent?: true;
    };

/** The outcome, and the attempt if the receiver was called. */
export type SendResult = { outcome: Outcome; attempt?: DeliveryAttempt };

/**
 * Posts one event to a webhook, as the Standard Webhooks specification says, signed by every valid secret. Redirects
 * aren't followed, since the event may only go to the configured address.
 */
export async function sendMessage(
  webhook: WebhookRow,
  message: WebhookMessage,
  network?: GuardedRequest["network"],
): Promise<SendResult> {
  const address = unsealAddress(webhook);
  const unreadable = unreadableReason(webhook);
  const noResponse = { ok: false, status: null, isGone: false, retryAfterSeconds: null } as const;
  if (address === null || unreadable !== null)
    return {
      outcome: { ...noResponse, error: unreadable ?? encodeNotices({ reason: "address_unreadable" }), notSent: true },
    };
  const moment = now();
  const began = performance.now();
  const finish = (outcome: Outcome, answer: string | null): SendResult => ({
    outcome,
    attempt: {
      at: moment,
      duration_ms: Math.round(performance.now() - began),
      status: outcome.status,
      error: outcome.ok ? null : outcome.error,
      answer,
    },
  });
  const body = buildBody(webhook.client_id, message);
  const signatures = activeSecrets(webhook, moment).map(({ secret }) =>
    new Signer(secret).sign(message.message_id, moment, body),
  );
  let connected = false;
  try {
    const answer = await guardedFetch(address, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        "user-agent": "Candor-Webhooks/1.0",
        "webhook-id": message.message_id,
        "webhook-timestamp": String(Math.floor(moment.getTime() / 1_000)),
        "webhook-signature": signatures.join(" "),
      },
      body,
      timeout: TIMEOUT_MS,
      idleTimeout: TIMEOUT_MS,
      maxRedirects: 0,
      onConnect: () => {
        connected = true;
      },
      network,
    });
    // A receiver may echo the request: a customer's name and address must not be stored.
    const isPersonal = message.event === DELEGATED_EVENT;
    if (isPersonal) answer.body.destroy();
    const excerpt = isPersonal ? null : await readExcerpt(answer.body);
    return finish(outcomeOfStatus(answer.status, answer.headers["retry-after"]), excerpt);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return finish({ ...noResponse, error: encodeError(error), ...(connected ? {} : { notSent: true as const }) }, null);
  }
}

/** The first kilobyte of a response, without control characters. Errors while reading don't affect the outcome. */
async function readExcerpt(body: GuardedResponse["body"]): Promise<string> {
  const pieces: Uint8Array[] = [];
  const timer = setTimeout(() => body.destroy(), ANSWER_TIMEOUT_MS);
  try {
    let length = 0;
    for await (const piece of body) {
      pieces.push(piece.subarray(0, MAX_ANSWER_BYTES - length));
      length += piece.length;
      if (length >= MAX_ANSWER_BYTES) break;
    }
  } catch {
    // What arrived before the error is enough.
  } finally {
    clearTimeout(timer);
    body.destroy();
  }
  // Omits an incomplete character at the end.
  const text = new TextDecoder().decode(Buffer.concat(pieces), { stream: true });
  return text.replace(/[^\P{C}\n\t]/gu, "").trim();
}

/**
 * The signed body: what happened, and the resource's URL. Never what a customer wrote; an email address in one event
 * only.
 */
export function buildBody(clientId: string, { event, data, happened_at }: WebhookMessage): string {
  const url = resourceUrl(clientId, event, data);
  return JSON.stringify({
    type: event,
    timestamp: happened_at.toISOString(),
    data: { client_id: clientId, ...data, ...(url && { url }) },
  });
}

/** API URL of the event's resource, if it has one. */
function resourceUrl(
  clientId: string,
  event: string,
  { review_id, question_id }: WebhookMessage["data"],
): string | null {
  if (event.endsWith(".deleted")) return null;
  const path = review_id ? `reviews/${review_id}` : question_id ? `questions/${question_id}` : null;
  return path && `${env().PUBLIC_URL}/v1/${path}?client_id=${encodeURIComponent(clientId)}`;
}

function outcomeOfStatus(status: number, retryAfter: string | undefined): Outcome {
  if (status >= 200 && status < 300) return { ok: true, status };
  const isGone = status === 410;
  const retryAfterSeconds = Number(retryAfter);
  const redirect = status >= 300 && status < 400;
  return {
    ok: false,
    status,
    isGone,
    retryAfterSeconds:
      (status === 429 || status === 503) && retryAfterSeconds > 0 ? Math.min(retryAfterSeconds, 3_600) : null,
    error: encodeNotices(
      isGone
        ? { reason: "receiver_gone" }
        : { reason: redirect ? "receiver_redirects" : "receiver_refused", params: { status } },
    ),
  };
}
