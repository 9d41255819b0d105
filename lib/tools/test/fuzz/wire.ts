import http from "node:http";
import type { Answer } from "@/lib/tools/test/description";
import { type ByteMutation, type Draft, ValueReference } from "@/lib/tools/test/fuzz/requests";

/** Returns the nth known value of a kind; `undefined` if there is none. */
export type LookUp = (known: ValueReference) => unknown;

/** A request as sent over the network. */
export type RawRequest = {
  method: string;
  target: string;
  headers: Record<string, string>;
  body: Buffer | null;
};

const resolveReferences = (value: unknown, lookUp: LookUp): unknown => {
  if (value instanceof ValueReference) {
    const found = lookUp(value);
    return found === undefined ? "none" : found;
  }
  if (Array.isArray(value)) return value.map((each) => resolveReferences(each, lookUp));
  if (value === null || typeof value !== "object" || Buffer.isBuffer(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, resolveReferences(each, lookUp)]));
};

/**
 * Percent-encoded UTF-8 of any value, including half a surrogate pair. Truncated, since the server rejects headers
 * above 16 KiB unread.
 */
const percentEncode = (value: unknown): string => {
  const text = typeof value === "string" ? value : (JSON.stringify(value) ?? "undefined");
  return Array.from(Buffer.from(text, "utf8").subarray(0, 500), (byte) =>
    /[\w.~-]/.test(String.fromCharCode(byte)) ? String.fromCharCode(byte) : `%${byte.toString(16).padStart(2, "0")}`,
  ).join("");
};

/** Resolves the references of a draft; `credentials` are the headers of its caller. */
export function buildRequest(draft: Draft, credentials: Record<string, string>, lookUp: LookUp): RawRequest {
  const path = draft.operation.path.replace(
    /\{(\w+)\}/g,
    (_, name) => percentEncode(resolveReferences(draft.path[name], lookUp)) || "-",
  );
  const pairs = draft.query.map(
    ([name, value]) => `${percentEncode(name)}=${percentEncode(resolveReferences(value, lookUp))}`,
  );
  if (draft.rawQuery) pairs.push(draft.rawQuery);
  const headers: Record<string, string> = { ...credentials };
  let body: Buffer | null = null;
  if (draft.body && !("fields" in draft.body)) {
    headers["content-type"] = "application/json";
    body = Buffer.from(JSON.stringify(resolveReferences(draft.body.json, lookUp)) ?? "");
  } else if (draft.body) {
    const fields = draft.body.fields.map(([name, value]) => [name, resolveReferences(value, lookUp)] as const);
    if (draft.operation.body?.type === "multipart/form-data") [headers["content-type"], body] = multipart(fields);
    else {
      headers["content-type"] = "application/x-www-form-urlencoded";
      body = Buffer.from(fields.map(([name, value]) => `${percentEncode(name)}=${percentEncode(value)}`).join("&"));
    }
  }
  for (const spoil of draft.byteMutations) body = mutateBytes(body ?? Buffer.alloc(0), spoil);
  for (const [name, value] of Object.entries(draft.headers))
    headers[name] = Buffer.from(String(resolveReferences(value, lookUp)).replace(/\p{Cc}/gu, "")).toString("latin1");
  return {
    method: draft.method,
    target: path + (pairs.length > 0 ? `?${pairs.join("&")}` : ""),
    headers,
    body,
  };
}

function multipart(fields: (readonly [string, unknown])[]): [string, Buffer] {
  const boundary = "----fields-of-a-form";
  const parts = fields.map(([name, value]) => {
    const file = Buffer.isBuffer(value) ? '; filename="photo.jpg"\r\ncontent-type: image/jpeg' : "";
    const bytes = Buffer.isBuffer(value) ? value : Buffer.from(String(value));
    const head = `--${boundary}\r\ncontent-disposition: form-data; name="${name.replace(/["\r\n]/g, "_")}"${file}\r\n\r\n`;
    return Buffer.concat([Buffer.from(head), bytes, Buffer.from("\r\n")]);
  });
  return [`multipart/form-data; boundary=${boundary}`, Buffer.concat([...parts, Buffer.from(`--${boundary}--\r\n`)])];
}

function mutateBytes(body: Buffer, spoil: ByteMutation): Buffer {
  if (spoil.do === "all") return Buffer.from(spoil.text);
  const at = body.length > 0 ? spoil.at % body.length : 0;
  if (spoil.do === "cut") return body.subarray(0, at);
  const piece = spoil.do === "byte" ? Buffer.from([spoil.byte]) : Buffer.from(spoil.text);
  return Buffer.concat([body.subarray(0, at), piece, body.subarray(spoil.do === "byte" ? at + 1 : at)]);
}

/** Sends requests one after another over keep-alive connections. */
export class RequestSender {
  private readonly agent = new http.Agent({ keepAlive: true, maxSockets: 1 });

  constructor(private readonly port: number) {}

  send({ method, target, headers, body }: RawRequest): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const length =
        body === null && ["GET", "HEAD", "OPTIONS"].includes(method) ? {} : { "content-length": body?.length ?? 0 };
      const options = {
        port: this.port,
        host: "127.0.0.1",
        agent: this.agent,
        method,
        path: target,
      };
      const request = http.request(
        {
          ...options,
          headers: { host: "localhost:3000", ...headers, ...length },
        },
        (response) => {
          const chunks: Buffer[] = [];
          response.on("data", (chunk) => chunks.push(chunk));
          response.on("error", reject);
          response.on("end", () => {
            const text = Buffer.concat(chunks).toString("utf8");
            const responseHeaders = response.headers as Answer["headers"];
            resolve({ status: response.statusCode ?? 0, headers: responseHeaders, text });
          });
        },
      );
      request.on("error", reject);
      request.end(body ?? undefined);
    });
  }

  close(): void {
    this.agent.destroy();
  }
}
