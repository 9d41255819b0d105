import { Webhook as Signer } from "standardwebhooks";
import { lostOf, secretsAt, type WebhookRow, wholeAddress } from "@/lib/integrations/webhooks/rows";
import { HANDED_EVENT } from "@/lib/invitations/values";
import { now } from "@/lib/platform/clock";
import { env } from "@/lib/platform/env";
import { AppError } from "@/lib/platform/errors";
import { type GuardedRequest, type GuardedResponse, guardedFetch } from "@/lib/platform/http/guarded-fetch";
import { type Kept, keep, keepError } from "@/lib/platform/notices";

const TIMEOUT = 15_000;

/** An event as it is told. */
export type Message = {
  message_id: string;
  event: string;
  data: Record<string, unknown>;
  happened_at: Date;
};

/** The part of an answer that is kept, in bytes, and how long it is waited for once the status is there. */
const KEPT = 1_024;
const ANSWER_TIMEOUT = 2_000;

/** One try as it happened. `answer`: the beginning of what came back, as text. */
export type Attempt = {
  at: Date;
  duration_ms: number;
  status: number | null;
  error: Kept | null;
  answer: string | null;
};

/** What came of one try. `status` is null where nobody answered; `error` says nothing of what was sent. */
export type Outcome =
  | { ok: true; status: number }
  | {
      ok: false;
      status: number | null;
      error: Kept;
      gone: boolean;
      wait: number | null;
      /** it was not sent at all, and is not to be */
      withdrawn?: true;
      /** it was not sent, and is to be from then on: no try that failed */
      later?: Date;
      /** the try failed before anything left: the receiver cannot have heard of it */
      untold?: true;
    };

/** What came of a try, and the try itself where the receiver was called. */
export type Sending = { outcome: Outcome; attempt?: Attempt };

/**
 * Posts one event to a webhook, after the Standard Webhooks specification: signed by every secret that is valid now.
 * A redirect is not followed: the event would go where nobody said it may.
 */
export async function sendMessage(
  webhook: WebhookRow,
  message: Message,
  network?: GuardedRequest["network"],
): Promise<Sending> {
  const address = wholeAddress(webhook);
  const lost = lostOf(webhook);
  const unheard = { ok: false, status: null, gone: false, wait: null } as const;
  if (address === null || lost !== null)
    return { outcome: { ...unheard, error: lost ?? keep({ reason: "address_unreadable" }), untold: true } };
  const moment = now();
  const began = performance.now();
  const done = (outcome: Outcome, answer: string | null): Sending => ({
    outcome,
    attempt: {
      at: moment,
      duration_ms: Math.round(performance.now() - began),
      status: outcome.status,
      error: outcome.ok ? null : outcome.error,
      answer,
    },
  });
  const body = bodyOf(webhook.client_id, message);
  const signatures = secretsAt(webhook, moment).map(({ secret }) =>
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
      timeout: TIMEOUT,
      idleTimeout: TIMEOUT,
      maxRedirects: 0,
      onConnect: () => {
        connected = true;
      },
      network,
    });
    // A receiver may repeat what it was sent: a customer's name and address are kept nowhere.
    const isPersonal = message.event === HANDED_EVENT;
    if (isPersonal) answer.body.destroy();
    const beginning = isPersonal ? null : await beginningOf(answer.body);
    return done(outcomeOf(answer.status, answer.headers["retry-after"]), beginning);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return done({ ...unheard, error: keepError(error), ...(connected ? {} : { untold: true as const }) }, null);
  }
}

/** The first kilobyte of an answer as text on which no terminal or page can choke. What it says changes nothing. */
async function beginningOf(body: GuardedResponse["body"]): Promise<string> {
  const pieces: Uint8Array[] = [];
  const late = setTimeout(() => body.destroy(), ANSWER_TIMEOUT);
  try {
    let length = 0;
    for await (const piece of body) {
      pieces.push(piece.subarray(0, KEPT - length));
      length += piece.length;
      if (length >= KEPT) break;
    }
  } catch {
    // What came until it broke off is enough.
  } finally {
    clearTimeout(late);
    body.destroy();
  }
  // A character cut in two is left out.
  const text = new TextDecoder().decode(Buffer.concat(pieces), { stream: true });
  return text.replace(/[^\P{C}\n\t]/gu, "").trim();
}

/** The text that is signed: what happened, and where to ask for more. Never a customer's words; an address in one event only. */
export function bodyOf(clientId: string, { event, data, happened_at }: Message): string {
  const url = addressOf(clientId, event, data);
  return JSON.stringify({
    type: event,
    timestamp: happened_at.toISOString(),
    data: { client_id: clientId, ...data, ...(url && { url }) },
  });
}

/** Where the API tells the present state of what the event is about, as far as it has an address of its own. */
function addressOf(clientId: string, event: string, { review_id, question_id }: Message["data"]): string | null {
  if (event.endsWith(".deleted")) return null;
  const path = review_id ? `reviews/${review_id}` : question_id ? `questions/${question_id}` : null;
  return path && `${env().PUBLIC_URL}/v1/${path}?client_id=${encodeURIComponent(clientId)}`;
}

function outcomeOf(status: number, retryAfter: string | undefined): Outcome {
  if (status >= 200 && status < 300) return { ok: true, status };
  const gone = status === 410;
  const wait = Number(retryAfter);
  const redirect = status >= 300 && status < 400;
  return {
    ok: false,
    status,
    gone,
    wait: (status === 429 || status === 503) && wait > 0 ? Math.min(wait, 3_600) : null,
    error: keep(
      gone
        ? { reason: "receiver_gone" }
        : { reason: redirect ? "receiver_redirects" : "receiver_refused", params: { status } },
    ),
  };
}
