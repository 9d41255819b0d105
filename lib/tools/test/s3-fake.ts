import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import { once } from "node:events";
import http from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";

type Stored = { bytes: Buffer; type: string };
type S3Failure = { status: number; code: string };

const sha256 = (data: string | Buffer) => createHash("sha256").update(data).digest("hex");
const hmac = (key: string | Buffer, text: string) => createHmac("sha256", key).update(text).digest();
const encoded = (text: string) =>
  encodeURIComponent(text).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
const xml = (text: string) => text.replace(/&/g, "&amp;").replace(/</g, "&lt;");

/**
 * An S3 bucket over HTTP, limited to put, get, list and delete of objects in path style. Verifies signatures (version
 * 4) with the body's hash as S3 does, so it rejects a wrong key, a changed header or an old date. It fails as
 * configured: `trouble` answers the next requests, and `locked` keys can't be deleted, which S3 reports in a 200
 * response.
 */
export class S3Fake {
  readonly objects = new Map<string, Stored>();
  readonly requests: string[] = [];
  readonly failures: (S3Failure | "hang up")[] = [];
  readonly locked = new Set<string>();
  #server = http.createServer((request, response) => void this.#answer(request, response));

  constructor(
    readonly bucket: string,
    readonly accessKeyId: string,
    public secretAccessKey: string,
    readonly region = "eu-north-1",
  ) {}

  async listen(port = 0): Promise<string> {
    this.#server.listen(port, "127.0.0.1");
    await once(this.#server, "listening");
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #answer(request: http.IncomingMessage, response: http.ServerResponse): Promise<void> {
    const body = await buffer(request);
    const url = new URL(request.url ?? "/", "http://s3");
    this.requests.push(`${request.method} ${url.pathname}${url.search}`);
    const reject = ({ status, code }: S3Failure) =>
      response
        .writeHead(status, { "Content-Type": "application/xml" })
        .end(
          request.method === "HEAD"
            ? undefined
            : `<?xml version="1.0"?><Error><Code>${code}</Code><Message>${code}</Message></Error>`,
        );
    const next = this.failures.shift();
    if (next === "hang up") return void request.socket.destroy();
    if (next) return void reject(next);
    const signatureError = this.#signatureError(request, url, body);
    if (signatureError) return void reject({ status: 403, code: signatureError });
    const [bucket, ...rest] = decodeURIComponent(url.pathname.slice(1)).split("/");
    if (bucket !== this.bucket) return void reject({ status: 404, code: "NoSuchBucket" });
    const key = rest.join("/");
    const answer = (status: number, content: string | Buffer = "", headers: Record<string, string> = {}) =>
      void response.writeHead(status, { "Content-Length": Buffer.byteLength(content), ...headers }).end(content);

    if (request.method === "PUT" && key) {
      if (request.headers["x-amz-acl"]) return void reject({ status: 400, code: "AccessControlListNotSupported" });
      this.objects.set(key, { bytes: body, type: request.headers["content-type"] ?? "" });
      return answer(200, "", { ETag: `"${createHash("md5").update(body).digest("hex")}"` });
    }
    if (request.method === "GET" && key) {
      const found = this.objects.get(key);
      return found
        ? answer(200, found.bytes, { "Content-Type": found.type })
        : void reject({ status: 404, code: "NoSuchKey" });
    }
    if (request.method === "GET" && url.searchParams.get("list-type") === "2")
      return answer(200, this.#list(url.searchParams));
    if (request.method === "POST" && url.searchParams.has("delete")) return answer(200, this.#delete(body.toString()));
    reject({ status: 405, code: "MethodNotAllowed" });
  }

  #list(query: URLSearchParams): string {
    const prefix = query.get("prefix") ?? "";
    const maxKeys = Number(query.get("max-keys") ?? 1000);
    const keys = [...this.objects.keys()].filter((key) => key.startsWith(prefix)).sort();
    const contents = keys
      .slice(0, maxKeys)
      .map(
        (key) =>
          `<Contents><Key>${xml(key)}</Key><LastModified>2026-01-01T00:00:00.000Z</LastModified><ETag>"x"</ETag><Size>${this.objects.get(key)?.bytes.length}</Size></Contents>`,
      );
    return `<?xml version="1.0"?><ListBucketResult><Name>${this.bucket}</Name><KeyCount>${contents.length}</KeyCount><IsTruncated>${keys.length > maxKeys}</IsTruncated>${contents.join("")}</ListBucketResult>`;
  }

  #delete(body: string): string {
    const keys = [...body.matchAll(/<Key>([^<]*)<\/Key>/g)].map(([, key]) => key as string);
    const errors = keys.flatMap((key) => {
      if (this.locked.has(key))
        return [`<Error><Key>${xml(key)}</Key><Code>AccessDenied</Code><Message>no</Message></Error>`];
      this.objects.delete(key);
      return [];
    });
    return `<?xml version="1.0"?><DeleteResult>${errors.join("")}</DeleteResult>`;
  }

  /** What is wrong with the request's signature, as S3's error code. */
  #signatureError(request: http.IncomingMessage, url: URL, body: Buffer): string | null {
    const [, credential, names, signature] =
      /^AWS4-HMAC-SHA256 Credential=([^,]+), ?SignedHeaders=([^,]+), ?Signature=([0-9a-f]{64})$/.exec(
        request.headers.authorization ?? "",
      ) ?? [];
    if (!credential || !names || !signature) return "AccessDenied";
    const [id, day, region, service, end] = credential.split("/");
    if (id !== this.accessKeyId) return "InvalidAccessKeyId";
    const date = String(request.headers["x-amz-date"]);
    const requestTime = Date.parse(date.replace(/^(....)(..)(..)T(..)(..)(..)Z$/, "$1-$2-$3T$4:$5:$6Z"));
    if (Number.isNaN(requestTime) || Math.abs(Date.now() - requestTime) > 900_000 || !date.startsWith(day ?? "-"))
      return "RequestTimeTooSkewed";
    if (region !== this.region || service !== "s3" || end !== "aws4_request") return "AuthorizationHeaderMalformed";
    const payload = String(request.headers["x-amz-content-sha256"]);
    if (payload !== sha256(body)) return "XAmzContentSHA256Mismatch";
    const signed = names.split(";");
    if (!["host", "x-amz-content-sha256", "x-amz-date"].every((name) => signed.includes(name))) return "AccessDenied";
    const canonical = [
      request.method,
      url.pathname,
      [...url.searchParams]
        .map(([name, value]) => `${encoded(name)}=${encoded(value)}`)
        .sort()
        .join("&"),
      ...signed.map((name) => `${name}:${String(request.headers[name] ?? "").trim()}`),
      "",
      names,
      payload,
    ].join("\n");
    const scope = [day, region, service, end].join("/");
    const key = [day, region, service, end].reduce<string | Buffer>(
      (signingKey, part) => hmac(signingKey, part as string),
      `AWS4${this.secretAccessKey}`,
    );
    const expected = hmac(key, ["AWS4-HMAC-SHA256", date, scope, sha256(canonical)].join("\n"));
    return timingSafeEqual(expected, Buffer.from(signature, "hex")) ? null : "SignatureDoesNotMatch";
  }
}
