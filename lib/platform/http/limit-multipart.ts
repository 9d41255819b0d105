import type http from "node:http";

/** Maximum parts of a page's form: ten times those of the largest form. */
const MAX_PARTS = 2_000;
/** Maximum header bytes of one part, and of all parts. */
const MAX_HEADER_BYTES = 4_096;
const MAX_TOTAL_HEADER_BYTES = 1024 * 1024;

const BLANK_LINE = Buffer.from("\r\n\r\n");

/**
 * Closes a request whose multipart form has more parts or header bytes than any of Candor's forms. Next reads forms
 * sent without JavaScript in one go: a hundred megabytes of tiny parts would block all requests for seconds. Passes
 * other requests unchanged.
 */
export function limitMultipart(request: http.IncomingMessage): void {
  const [, quoted, bare] =
    /^\s*multipart\/form-data\s*;.*?boundary=(?:"([^"]+)"|([^\s;]+))/i.exec(request.headers["content-type"] ?? "") ??
    [];
  const boundary = quoted ?? bare;
  if (boundary === undefined) return;
  const exceedsLimits = multipartLimiter(Buffer.from(`\r\n--${boundary}`, "latin1"));
  const push = request.push.bind(request);
  // Intercepts the parser's chunks. A listener would consume the bytes before the page reads them.
  request.push = (chunk: Buffer | null, ...rest) => {
    if (chunk === null || !exceedsLimits(chunk)) return push(chunk, ...rest);
    request.destroy();
    return false;
  };
}

/** Checks a form piece by piece; returns whether it exceeds a limit. */
function multipartLimiter(line: Buffer): (chunk: Buffer) => boolean {
  const counts = { parts: 0, headers: 0, inAll: 0 };
  let isInHeaders = false;
  let held: Buffer = Buffer.from("\r\n"); // also precedes the first boundary
  return (chunk) => {
    const bytes = Buffer.concat([held, chunk]);
    let at = 0;
    for (;;) {
      const separator = isInHeaders ? BLANK_LINE : line;
      const found = bytes.indexOf(separator, at);
      // The searched bytes may be split across two pieces.
      const end = found >= 0 ? found + separator.length : Math.max(at, bytes.length - separator.length + 1);
      if (isInHeaders) {
        counts.headers += end - at;
        counts.inAll += end - at;
      }
      at = end;
      if (counts.headers > MAX_HEADER_BYTES || counts.inAll > MAX_TOTAL_HEADER_BYTES || counts.parts > MAX_PARTS)
        return true;
      if (found < 0) break;
      if (!isInHeaders) counts.parts += 1;
      isInHeaders = !isInHeaders;
      counts.headers = 0;
    }
    held = bytes.subarray(at);
    return false;
  };
}
