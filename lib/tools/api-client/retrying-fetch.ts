type Fetch = (request: Request) => Promise<Response>;
export type Wait = (milliseconds: number) => Promise<unknown>;

const sleep: Wait = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** Longer than any limit of the service asks for; an answer that says more is given back. */
const MAX_WAIT_S = 120;

/**
 * `fetch` that waits and tries again, up to `tries` times in all, when it may: after 429, which has done nothing; after
 * 503 and a lost connection where a second time does no harm (anything but a POST without Idempotency-Key). It waits as
 * long as Retry-After says, else 1, 2, 4 … seconds.
 */
export function createRetryingFetch(
  send: Fetch = (request) => fetch(request),
  { tries: maxAttempts = 5, wait = sleep }: { tries?: number; wait?: Wait } = {},
): Fetch {
  return async (request) => {
    const isIdempotent = request.method !== "POST" || request.headers.has("Idempotency-Key");
    for (let attempt = 1; ; attempt += 1) {
      const backoffSeconds = 2 ** (attempt - 1);
      const last = attempt >= maxAttempts;
      // What is sent is read to its end; the next try needs its own.
      const answer = await send(last ? request : request.clone()).catch((error) => {
        if (last || !isIdempotent || request.signal.aborted) throw error;
        return null;
      });
      if (answer) {
        const shouldRetry = answer.status === 429 || (answer.status === 503 && isIdempotent);
        const waitSeconds = Number(answer.headers.get("Retry-After") ?? backoffSeconds);
        if (last || !shouldRetry || !(waitSeconds <= MAX_WAIT_S)) return answer;
        await answer.body?.cancel();
        await wait(waitSeconds * 1_000);
      } else await wait(backoffSeconds * 1_000);
    }
  };
}
