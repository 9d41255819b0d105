type Fetch = (request: Request) => Promise<Response>;
export type Wait = (milliseconds: number) => Promise<unknown>;

const sleep: Wait = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** Longer than any limit of the service asks for; an answer that says more is given back. */
const LONGEST_WAIT_S = 120;

/**
 * `fetch` that waits and tries again, up to `tries` times in all, when it may: after 429, which has done nothing; after
 * 503 and a lost connection where a second time does no harm (anything but a POST without Idempotency-Key). It waits as
 * long as Retry-After says, else 1, 2, 4 … seconds.
 */
export function patiently(
  send: Fetch = (request) => fetch(request),
  { tries = 5, wait = sleep }: { tries?: number; wait?: Wait } = {},
): Fetch {
  return async (request) => {
    const repeatable = request.method !== "POST" || request.headers.has("Idempotency-Key");
    for (let attempt = 1; ; attempt += 1) {
      const pause = 2 ** (attempt - 1);
      const last = attempt >= tries;
      // What is sent is read to its end; the next try needs its own.
      const answer = await send(last ? request : request.clone()).catch((error) => {
        if (last || !repeatable || request.signal.aborted) throw error;
        return null;
      });
      if (answer) {
        const busy = answer.status === 429 || (answer.status === 503 && repeatable);
        const asked = Number(answer.headers.get("Retry-After") ?? pause);
        if (last || !busy || !(asked <= LONGEST_WAIT_S)) return answer;
        await answer.body?.cancel();
        await wait(asked * 1_000);
      } else await wait(pause * 1_000);
    }
  };
}
