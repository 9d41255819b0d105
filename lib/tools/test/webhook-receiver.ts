import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { Webhook } from "standardwebhooks";
import { payloads } from "@/lib/integrations/webhooks/payloads";

/** An accepted event, verified by the specification's library. */
export type ReceivedEvent = { id: string; type: string; timestamp: string; data: Record<string, string>; raw: string };

type Answer = number | { status: number; headers?: Record<string, string>; body?: string };

/** A merchant's system that receives webhooks, written with the specification's library. */
export async function webhookReceiver() {
  const receiver = {
    url: "",
    /** the secret to verify with; a test changes it after a rotation */
    secret: "",
    received: [] as ReceivedEvent[],
    /** requests with an invalid signature */
    invalidSignatures: 0,
    /** differences between an event and its description */
    schemaErrors: [] as string[],
    /** every request, answered or not */
    requestCount: 0,
    /** responses to the next requests, in order; then 204 */
    nextAnswers: [] as Answer[],
    /** events to reject with 500, by their text */
    rejects: (_: string): boolean => false,
    /** runs before the response, by the event's text */
    beforeAnswer: async (_: string): Promise<void> => undefined,
    /** closes every connection while true */
    down: false,
    /** subjects being processed, to check that none is delivered twice concurrently */
    inProgress: [] as string[],
    overlaps: 0,
    delayMs: 0,
    /** sends 200 and the beginning of a body that never ends */
    neverEndsBody: false,
    headers: [] as IncomingMessage["headers"][],
    stop: () => new Promise<void>((done) => void server.close(() => done()).closeAllConnections()),
  };
  const server = createServer(async (request, response) => {
    receiver.requestCount += 1;
    receiver.headers.push(request.headers);
    const raw = await text(request);
    if (receiver.down) return void request.socket.destroy();
    const answer = receiver.rejects(raw) ? 500 : (receiver.nextAnswers.shift() ?? 204);
    const {
      status,
      headers = {},
      body = "thank you for nothing",
    } = typeof answer === "number" ? { status: answer } : answer;
    try {
      new Webhook(receiver.secret).verify(raw, request.headers as Record<string, string>);
    } catch {
      receiver.invalidSignatures += 1;
      return void response.writeHead(401).end();
    }
    const { type, timestamp, data } = JSON.parse(raw);
    // Every event of every test is validated against the API's description.
    receiver.schemaErrors.push(...payloadErrors(type, data));
    const subject = String(data.review_id ?? data.invitation_id ?? type);
    if (receiver.inProgress.includes(subject)) receiver.overlaps += 1;
    receiver.inProgress.push(subject);
    if (receiver.delayMs) await new Promise((done) => setTimeout(done, receiver.delayMs));
    await receiver.beforeAnswer(raw);
    receiver.inProgress.splice(receiver.inProgress.indexOf(subject), 1);
    if (status < 300) receiver.received.push({ id: String(request.headers["webhook-id"]), type, timestamp, data, raw });
    if (receiver.neverEndsBody) return void response.writeHead(200).write("and so on");
    response.writeHead(status, headers).end(status === 204 ? undefined : body);
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  receiver.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks/to-a-shop?token=in-the-address-77`;
  return receiver;
}
export type WebhookReceiver = Awaited<ReturnType<typeof webhookReceiver>>;

/** What an event has that its description doesn't, and the reverse. */
function payloadErrors(type: string, data: unknown): string[] {
  const described = payloads[type as keyof typeof payloads]?.data.strict();
  const issues = described ? (described.safeParse(data).error?.issues ?? []) : [{ path: [], message: "unknown event" }];
  return issues.map(({ path, message }) => `${type} ${path.join(".")}: ${message}`);
}
