import { request } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import type { ServerName } from "@/lib/tools/bench/cases";
import { type LoadResult, load, type WireRequest } from "@/lib/tools/bench/load";
import { median } from "@/lib/tools/bench/measure";
import { cpuOf, residentMemoryOf } from "@/lib/tools/bench/processes";
import { PRODUCTS, productId, readerClient, writerClient } from "@/lib/tools/bench/seed";
import { photograph } from "@/lib/tools/test/pictures";

// The cost of a shopper's photo, and its effect on other requests: phone-sized photos one after another, while sixteen
// connections read summaries as product pages do. The yardsticks accept no photos.

export const UPLOAD = "upload";
const [WIDTH, HEIGHT] = [4_000, 3_000];
/** Uploads of one round. */
const UPLOADS = 4;
const READERS = 16;

export type Uploads = {
  name: typeof UPLOAD;
  about: string;
  bytes: number;
  rounds: number;
  /** milliseconds of one upload, without and with readers: median and longest */
  withoutReaders: { median: number; max: number };
  whileReading: { median: number; max: number };
  /** what the readers measured before and during uploads: medians of the rounds */
  readers: { before: LoadResult; duringUploads: LoadResult };
  /** CPU seconds of the server per upload without readers; bytes of its peak memory above the start */
  cpu: number | null;
  memory: number | null;
};

type Target = { port: number; pid: number };

/**
 * Uploads a twelve-megapixel photo repeatedly, without and with concurrent readers. Throws if an upload is rejected.
 */
export async function measureUploads({ candor }: Record<ServerName, Target>, maxRounds: number): Promise<Uploads> {
  const rounds = Math.min(maxRounds, 3);
  const form = formOf(await photograph(WIDTH, HEIGHT).jpeg({ quality: 88 }).toBuffer());
  await upload(candor.port, form); // loads modules
  const began = residentMemoryOf(candor.pid);
  let lastEnd = began;
  const watch = setInterval(() => {
    lastEnd = Math.max(lastEnd ?? 0, residentMemoryOf(candor.pid) ?? 0) || null;
  }, 20);
  try {
    const cpuBefore = cpuOf(candor.pid);
    const alone = await repeat(rounds * UPLOADS, () => upload(candor.port, form));
    const cpuAfter = cpuOf(candor.pid);
    const before: LoadResult[] = [];
    const meanwhile: LoadResult[] = [];
    const together: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      before.push(await measureReaders(candor.port, 1_500));
      // The readers' measurement begins after their warm-up and ends with the last upload.
      let uploaded = false;
      const uploads = sleep(300)
        .then(() => repeat(UPLOADS, () => upload(candor.port, form)))
        .finally(() => {
          uploaded = true;
        });
      const [durations, seen] = await Promise.all([uploads, measureReadersUntil(candor.port, () => uploaded)]);
      together.push(...durations);
      meanwhile.push(...seen);
    }
    return {
      name: UPLOAD,
      about: `POST /uploader of a JPEG of ${WIDTH} × ${HEIGHT}, one after the other; meanwhile ${READERS} connections read summaries of ${PRODUCTS} products`,
      bytes: form.body.length,
      rounds,
      withoutReaders: { median: median(alone), max: Math.max(...alone) },
      whileReading: { median: median(together), max: Math.max(...together) },
      readers: { before: medianResult(before), duringUploads: medianResult(meanwhile) },
      cpu: cpuBefore === null || cpuAfter === null ? null : (cpuAfter - cpuBefore) / alone.length,
      memory: began === null || lastEnd === null ? null : lastEnd - began,
    };
  } finally {
    clearInterval(watch);
  }
}

type Form = { body: Buffer; type: string };

function formOf(photo: Buffer): Form {
  const boundary = "----bench-upload-boundary";
  const field = (name: string, value: string) =>
    `--${boundary}\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
  const head = `${field("client_id", writerClient.id)}${field("api_key", writerClient.publicKey)}--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="photo.jpg"\r\ncontent-type: image/jpeg\r\n\r\n`;
  return {
    body: Buffer.concat([Buffer.from(head), photo, Buffer.from(`\r\n--${boundary}--\r\n`)]),
    type: `multipart/form-data; boundary=${boundary}`,
  };
}

/** Milliseconds from the start of the request to the complete response. */
const upload = (port: number, { body, type }: Form): Promise<number> =>
  new Promise((resolve, reject) => {
    const began = performance.now();
    const headers = { "content-type": type, "content-length": body.length };
    request({ host: "127.0.0.1", port, path: "/uploader", method: "POST", headers }, (answer) => {
      const chunks: Buffer[] = [];
      answer.on("data", (chunk: Buffer) => chunks.push(chunk));
      answer.on("error", reject);
      answer.on("end", () =>
        answer.statusCode === 200
          ? resolve(performance.now() - began)
          : reject(new Error(`${UPLOAD}: ${answer.statusCode} ${Buffer.concat(chunks)}`)),
      );
    })
      .on("error", reject)
      .end(body);
  });

async function repeat(count: number, work: () => Promise<number>): Promise<number[]> {
  const durations: number[] = [];
  for (let done = 0; done < count; done += 1) durations.push(await work());
  return durations;
}

const requests: WireRequest[] = Array.from({ length: 200 }, (_, index) => ({
  head: `GET /onpage/${readerClient.id}/reviews.json?key=${productId(index * 5)} HTTP/1.1\r\nhost: localhost\r\n`,
  body: null,
}));

const measureReaders = (port: number, measureMs: number): Promise<LoadResult> =>
  load({ port, requests, connections: READERS, expected: 200, warmUpMs: 300, measureMs, onPhase: () => {} });

/** Results of the readers per second, until the uploads are finished. */
async function measureReadersUntil(port: number, isFinished: () => boolean): Promise<LoadResult[]> {
  const seen: LoadResult[] = [];
  do seen.push(await measureReaders(port, 1_000));
  while (!isFinished());
  return seen;
}

function medianResult(seen: LoadResult[]): LoadResult {
  const medianOf = (value: (one: LoadResult) => number) => median(seen.map(value));
  return {
    perSecond: medianOf((one) => one.perSecond),
    p50: medianOf((one) => one.p50),
    p99: medianOf((one) => one.p99),
    unexpected: seen.reduce((sum, one) => sum + one.unexpected, 0),
  };
}
