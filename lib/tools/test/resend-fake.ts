import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { z } from "zod";

/**
 * A fake of Resend's API that keeps its guarantees and validates requests: key, JSON, addresses, headers and tags like
 * the real one, at most 100 emails per batch, one effect per idempotency key and payload for 24 hours. It fails as
 * configured.
 */

const address = z.string().regex(/^(?:[^<>]*<[^<>\s@]+@[^<>\s@]+>|[^<>\s@]+@[^<>\s@]+)$/);
const ResendEmail = z.strictObject({
  from: address,
  to: z.union([address, z.array(address).max(50)]),
  subject: z
    .string()
    .min(1)
    .regex(/^[^\r\n]*$/),
  reply_to: z.union([address, z.array(address)]).optional(),
  html: z.string().optional(),
  text: z.string(),
  headers: z.record(z.string(), z.string().regex(/^[^\r\n]*$/)).optional(),
  tags: z.array(z.object({ name: z.string(), value: z.string().regex(/^[A-Za-z0-9_-]{1,256}$/) })).optional(),
});
export type ResendEmail = z.output<typeof ResendEmail>;

/**
 * How one call fails: a response without effect; the effect with the connection closed before the response, or with no
 * response at all; a connection closed before the effect.
 */
export type ResendFailure =
  | { status: number; name?: string; message?: string; retryAfter?: string; text?: string }
  | "hang up after"
  | "never answer"
  | "hang up before"
  | null;

type Call = { path: string; key: string | null; emails: ResendEmail[]; at: number };

export async function resendFake(
  failures: ResendFailure[] = [],
  { refuse }: { refuse?: (letter: ResendEmail) => boolean } = {},
) {
  const calls: Call[] = [];
  /** emails sent, in order */
  const sent: (ResendEmail & { id: string })[] = [];
  const answersByKey = new Map<string, { payload: string; answer: object }>();
  const open = new Set<ServerResponse>();

  function acceptEmails(path: string, key: string | null, payload: string, permissive: boolean): [number, object] {
    const previous = key === null ? undefined : answersByKey.get(key);
    if (previous && previous.payload !== payload)
      return errorReply(409, "invalid_idempotent_request", "This key was used with another payload.");
    if (previous) return [200, previous.answer];
    const body: unknown = JSON.parse(payload);
    const given = path === "/emails/batch" ? (body as unknown[]) : [body];
    if (path === "/emails/batch" && (!Array.isArray(body) || body.length < 1 || body.length > 100))
      return errorReply(422, "validation_error", "A batch holds 1 to 100 mails.");
    const errors: { index: number; message: string }[] = [];
    const ids: { id: string }[] = [];
    const accepted: (ResendEmail & { id: string })[] = [];
    for (const [index, one] of given.entries()) {
      const letter = ResendEmail.safeParse(one);
      if (!letter.success || refuse?.(letter.data))
        errors.push({ index, message: letter.success ? "Invalid `to` field." : letter.error.message });
      else {
        const id = `re_${sent.length + accepted.length + 1}`;
        accepted.push({ ...letter.data, id });
        ids.push({ id });
      }
    }
    if (errors.length > 0 && !permissive) return errorReply(422, "validation_error", errors[0]?.message ?? "");
    sent.push(...accepted);
    const answer = path === "/emails/batch" ? { data: ids, ...(permissive ? { errors } : {}) } : (ids[0] as object);
    if (key !== null) answersByKey.set(key, { payload, answer });
    return [200, answer];
  }

  const server = createServer(async (request: IncomingMessage, response) => {
    open.add(response);
    const payload = await text(request);
    const path = request.url ?? "";
    const key = (request.headers["idempotency-key"] as string | undefined) ?? null;
    const failure = failures.shift() ?? null;
    const answer = (status: number, body: object | string, headers: Record<string, string> = {}) => {
      response.writeHead(status, { "content-type": "application/json", ...headers });
      response.end(typeof body === "string" ? body : JSON.stringify(body));
    };
    if (failure === "hang up before") return void request.socket.destroy();
    if (request.headers.authorization !== "Bearer re_test")
      return void answer(...errorReply(401, "missing_api_key", "Missing API key"));
    if (!request.headers["content-type"]?.startsWith("application/json") || request.method !== "POST")
      return void answer(...errorReply(415, "invalid_parameter", "not JSON"));
    if (path !== "/emails" && path !== "/emails/batch") return void answer(...errorReply(404, "not_found", path));
    if (key !== null && key.length > 256)
      return void answer(...errorReply(400, "invalid_idempotency_key", "1 to 256 characters"));
    const parsed = JSON.parse(payload) as ResendEmail | ResendEmail[];
    calls.push({ path, key, emails: [parsed].flat(), at: performance.now() });
    if (failure && typeof failure === "object") {
      const { status, name = "application_error", message = "told to", retryAfter } = failure;
      const headers: Record<string, string> = retryAfter === undefined ? {} : { "retry-after": retryAfter };
      return void answer(status, failure.text ?? { statusCode: status, name, message }, headers);
    }
    const permissive = request.headers["x-batch-validation"] === "permissive";
    const [status, body] = acceptEmails(path, key, payload, permissive);
    if (failure === "hang up after") return void request.socket.destroy();
    if (failure !== "never answer") answer(status, body);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    calls,
    sent,
    /** as after 24 hours */
    clearIdempotencyKeys: () => answersByKey.clear(),
    settings: {
      RESEND_API_KEY: "re_test",
      RESEND_BASE_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      MAIL_FROM: "Reviews <reviews@candor.example>",
    },
    close: () => {
      for (const response of open) response.destroy();
      return new Promise((resolve) => server.close(resolve));
    },
  };
}

const errorReply = (status: number, name: string, message: string): [number, object] => [
  status,
  { statusCode: status, name, message },
];
