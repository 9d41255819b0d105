type Fetch = (request: Request) => Promise<Response>;
export type Sleep = (milliseconds: number) => Promise<unknown>;

const defaultSleep: Sleep = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** Longer than any rate limit of the service. A response with a longer Retry-After is returned. */
const MAX_WAIT_S = 120;

/**
 * `fetch` with up to `maxAttempts` attempts. Retries after 429, which has no effect, and after 503 or a lost connection if a
 * repetition is safe (anything but a POST without Idempotency-Key). Waits as long as Retry-After says, else 1, 2, 4 …
 * seconds.
 */
export function createRetryingFetch(
  send: Fetch = (request) => fetch(request),
  { maxAttempts = 5, sleep = defaultSleep }: { maxAttempts?: number; sleep?: Sleep } = {},
): Fetch {
  return async (request) => {
    const isIdempotent = request.method !== "POST" || request.headers.has("Idempotency-Key");
    for (let attempt = 1; ; attempt += 1) {
      const backoffSeconds = 2 ** (attempt - 1);
      const last = attempt >= maxAttempts;
      // A request's body can be read only once, so each attempt but the last sends a clone.
      const answer = await send(last ? request : request.clone()).catch((error) => {
        if (last || !isIdempotent || request.signal.aborted) throw error;
        return null;
      });
      if (answer) {
        const shouldRetry = answer.status === 429 || (answer.status === 503 && isIdempotent);
        const waitSeconds = Number(answer.headers.get("Retry-After") ?? backoffSeconds);
        if (last || !shouldRetry || !(waitSeconds <= MAX_WAIT_S)) return answer;
        await answer.body?.cancel();
        await sleep(waitSeconds * 1_000);
      } else await sleep(backoffSeconds * 1_000);
    }
  };
}
