import { connect, type Socket } from "node:net";

// A load generator for machines with few cores. It must cost less than the server, or it becomes the bottleneck. So it
// speaks only the HTTP/1.1 that these servers return, over plain sockets: keep-alive, no pipelining, responses of known
// length. Bodies are counted, not parsed.

/** A request to send. `{serial}` in it becomes a new twelve-digit number each time. */
export type WireRequest = {
  head: string;
  body: string | null;
  /** content type of the body; JSON by default */
  type?: string;
};

export type Load = {
  port: number;
  requests: readonly WireRequest[];
  connections: number;
  /** the status every response should have */
  expected: number;
  warmUpMs: number;
  measureMs: number;
  /** called when the measured time begins and when it ends */
  onPhase: (moment: "begin" | "end") => void;
};

/** Results of the measured time. Latencies in milliseconds. */
export type LoadResult = { perSecond: number; p50: number; p99: number; unexpected: number };

const SERIAL = "{serial}";
let serial = Math.floor(Date.now() / 1000) * 1_000_000; // so that later runs don't repeat a submission

/** The text with the next serial number in it. */
export const withSerial = (text: string): string => text.replaceAll(SERIAL, String(serial++ % 1e12).padStart(12, "0"));

/** Builds the bytes of a request. Their length doesn't depend on the serial number. */
function requestBuilder({ head, body, type = "application/json" }: WireRequest): () => string {
  const length = body === null ? 0 : Buffer.byteLength(withSerial(body));
  const message =
    body === null ? `${head}\r\n` : `${head}content-type: ${type}\r\ncontent-length: ${length}\r\n\r\n${body}`;
  return message.includes(SERIAL) ? () => withSerial(message) : () => message;
}

/** Keeps `connections` requests in flight during warm-up and measurement. Throws if a connection breaks. */
export async function load({
  port,
  requests,
  connections,
  expected,
  warmUpMs,
  measureMs,
  onPhase,
}: Load): Promise<LoadResult> {
  const builders = requests.map(requestBuilder);
  const latencies: number[] = [];
  let nextIndex = 0;
  let unexpected = 0;
  let measuring = false;
  let finished = false;

  const nextRequest = () => (finished ? null : (builders[nextIndex++ % builders.length] as () => string)());
  const recordResponse = (status: number, ms: number) => {
    if (status !== expected) unexpected += 1;
    if (measuring) latencies.push(ms);
  };
  const running = Promise.all(
    Array.from({ length: connections }, () => runConnection(port, nextRequest, recordResponse)),
  );
  const wait = (ms: number) => Promise.race([running, new Promise((resolve) => setTimeout(resolve, ms))]);

  await wait(warmUpMs);
  onPhase("begin");
  measuring = true;
  const began = performance.now();
  await wait(measureMs);
  measuring = false;
  const durationMs = performance.now() - began;
  onPhase("end");
  finished = true;
  await running;
  latencies.sort((a, b) => a - b);
  const at = (share: number) => latencies[Math.floor(share * (latencies.length - 1))] ?? Number.NaN;
  return { perSecond: (latencies.length / durationMs) * 1000, p50: at(0.5), p99: at(0.99), unexpected };
}

/** One connection: sends a request, reads the whole response, repeats until there are no more requests. */
function runConnection(
  port: number,
  nextRequest: () => string | null,
  onResponse: (status: number, ms: number) => void,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket: Socket = connect({ port, host: "127.0.0.1", noDelay: true });
    let sentAt = 0;
    let status = 0;
    let head = "";
    /** bytes of the body still to come; null while the head is incomplete */
    let remainingBytes: number | null = null;

    const sendNext = () => {
      const request = nextRequest();
      if (request === null) {
        socket.destroy();
        resolve();
        return;
      }
      sentAt = performance.now();
      socket.write(request);
    };
    socket.on("connect", sendNext);
    socket.on("data", (chunk: Buffer) => {
      if (remainingBytes === null) {
        const end = chunk.indexOf("\r\n\r\n");
        head += chunk.toString("latin1", 0, end < 0 ? chunk.length : end);
        if (end < 0) return;
        status = Number(head.slice(9, 12));
        const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1];
        if (length === undefined && status !== 204 && status !== 304) {
          reject(new Error(`A response without Content-Length:\n${head}`));
          socket.destroy();
          return;
        }
        remainingBytes = Number(length ?? 0) - (chunk.length - end - 4);
      } else remainingBytes -= chunk.length;
      if (remainingBytes > 0) return;
      head = "";
      remainingBytes = null;
      onResponse(status, performance.now() - sentAt);
      sendNext();
    });
    socket.on("error", reject);
    socket.on("close", () => reject(new Error("The server closed a connection."))); // no effect after resolve()
  });
}
