import { AppError } from "@/lib/platform/errors";
import type { Contract } from "@/lib/platform/http/contract";
import { jsonIssues, parseJson, unstorableIssues } from "@/lib/platform/http/json";
import type { Issue } from "@/lib/platform/issue";

/** A parsed body, and issues that don't depend on its schema. */
export type ParsedBody = { value: unknown; issues: Issue[] };

const mediaTypes: Record<Contract["accepts"], RegExp | null> = {
  json: /^application\/json\s*(;|$)/i,
  form: /^application\/x-www-form-urlencoded\s*(;|$)/i,
  multipart: /^multipart\/form-data\s*;/i,
  signed: /^application\/json\s*(;|$)/i,
  none: null,
};

/**
 * Reads the body: parsed JSON, or the fields of a form (the last value of a repeated field; files of a multipart form
 * as `File`), with an issue for each text that can't be stored. Calls `meter` with the number of bytes before they are
 * read; it may throw. Throws `unsupported_media_type`, `too_large`, `invalid_json`.
 */
export async function readBody(
  request: Request,
  contract: Contract,
  meter?: (bytes: number) => void,
): Promise<ParsedBody> {
  const expected = mediaTypes[contract.accepts];
  if (!expected) return { value: undefined, issues: [] };
  const typed = expected.test(request.headers.get("content-type") ?? "");
  if (!typed) {
    throw new AppError("unsupported_media_type", {
      reason: "unsupported_content_type",
      params: { type: typeName(contract) },
    });
  }
  const bytes = await readCapped(request, contract.maxBody, meter);
  if (contract.accepts === "json") {
    const text = decode(bytes);
    const value = parseJson(text);
    return { value, issues: jsonIssues(text, value) };
  }
  if (contract.accepts === "signed") {
    const text = decode(bytes);
    return { value: text, issues: unstorableIssues(text, "body") };
  }
  if (contract.accepts === "form") {
    const text = decode(bytes);
    checkFieldCount(text);
    return toParsedBody(new URLSearchParams(text));
  }
  checkPartCount(bytes, request.headers.get("content-type") ?? "");
  const form = await new Response(bytes, { headers: { "content-type": request.headers.get("content-type") ?? "" } })
    .formData()
    .catch((cause) => {
      throw new AppError("invalid_json", { reason: "invalid_multipart", cause });
    });
  return toParsedBody(form);
}

const typeName = ({ accepts }: Contract): string =>
  accepts === "json" || accepts === "signed"
    ? "application/json"
    : accepts === "form"
      ? "application/x-www-form-urlencoded"
      : "multipart/form-data";

const utf8 = new TextDecoder("utf-8", { fatal: true });

function decode(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes);
  } catch (cause) {
    throw new AppError("invalid_json", { reason: "invalid_utf8", cause });
  }
}

/** Maximum fields of a form. Anyone may send one, and each field costs more than its bytes. */
const MAX_FORM_FIELDS = 100;
/** Maximum header bytes of a part: the multipart parser takes half a second for ten megabytes of headers. */
const MAX_PART_HEADER_BYTES = 4_096;

const tooManyFields = () =>
  new AppError("too_large", { reason: "too_many_form_fields", params: { max: MAX_FORM_FIELDS } });

function checkFieldCount(text: string): void {
  let fields = 1;
  for (let at = text.indexOf("&"); at >= 0; at = text.indexOf("&", at + 1)) {
    fields += 1;
    if (fields > MAX_FORM_FIELDS) throw tooManyFields();
  }
}

function checkPartCount(bytes: Uint8Array<ArrayBuffer>, type: string): void {
  const boundary = /;\s*boundary=(?:"([^"]+)"|([^\s;]+))/i.exec(type);
  if (!boundary) return; // the parser reports it
  const line = `--${boundary[1] ?? boundary[2]}`;
  const body = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  let parts = 0;
  for (let at = body.indexOf(line); at >= 0; at = body.indexOf(line, at + line.length)) {
    parts += 1;
    if (parts > MAX_FORM_FIELDS + 1) throw tooManyFields();
    const headers = body.subarray(at + line.length, at + line.length + MAX_PART_HEADER_BYTES);
    if (
      headers.length === MAX_PART_HEADER_BYTES &&
      headers.toString("latin1", 0, 2) === "\r\n" &&
      !headers.includes("\r\n\r\n")
    )
      throw new AppError("invalid_json", { reason: "invalid_multipart" });
  }
}

function toParsedBody(form: URLSearchParams | FormData): ParsedBody {
  const value = Object.fromEntries(form as Iterable<[string, unknown]>);
  return {
    value,
    issues: Object.entries(value).flatMap(([name, given]) =>
      typeof given === "string" ? unstorableIssues(given, name) : [],
    ),
  };
}

const tooLarge = (maxBytes: number) =>
  new AppError("too_large", { reason: "body_too_large", params: { mib: Math.floor(maxBytes / 1024 / 1024) } });

/** Reads the whole body. Throws `too_large` once it exceeds `most` bytes, and never holds more. */
async function readCapped(
  request: Request,
  maxBytes: number,
  meter: ((bytes: number) => void) | undefined,
): Promise<Uint8Array<ArrayBuffer>> {
  const contentLength = request.headers.get("content-length");
  if (contentLength !== null) {
    if (Number(contentLength) > maxBytes) throw tooLarge(maxBytes);
    meter?.(Number(contentLength));
    const bytes = new Uint8Array(await request.arrayBuffer());
    if (bytes.length > maxBytes) throw tooLarge(maxBytes);
    return bytes;
  }
  const chunks: Uint8Array[] = [];
  let size = 0;
  const reader = request.body?.getReader();
  for (;;) {
    const { done, value } = (await reader?.read()) ?? { done: true, value: undefined };
    if (done || !value) return new Uint8Array(Buffer.concat(chunks));
    size += value.length;
    try {
      if (size > maxBytes) throw tooLarge(maxBytes);
      meter?.(value.length);
    } catch (error) {
      await reader?.cancel();
      throw error;
    }
    chunks.push(value);
  }
}
