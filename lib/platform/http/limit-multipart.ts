import type http from "node:http";

/** Parts that a form of a page may have: ten times what the largest of ours sends. */
const MAX_PARTS = 2_000;
/** Bytes that stand before one part, and before all of them. */
const MAX_HEADER_BYTES = 4_096;
const MAX_TOTAL_HEADER_BYTES = 1024 * 1024;

const BLANK_LINE = Buffer.from("\r\n\r\n");

/**
 * Ends a request whose multipart form has more parts, or more before them, than any form of ours. Next reads forms that are
 * sent without JavaScript in one go: a hundred megabytes of tiny parts would keep everybody waiting for seconds. What is
 * honest passes as it came.
 */
export function limitMultipart(request: http.IncomingMessage): void {
  const [, quoted, bare] =
    /^\s*multipart\/form-data\s*;.*?boundary=(?:"([^"]+)"|([^\s;]+))/i.exec(request.headers["content-type"] ?? "") ??
    [];
  const boundary = quoted ?? bare;
  if (boundary === undefined) return;
  const isTooMuch = multipartLimiter(Buffer.from(`\r\n--${boundary}`, "latin1"));
  const push = request.push.bind(request);
  // What Node's parser hands on. A listener would take the bytes away from whoever reads them later.
  request.push = (chunk: Buffer | null, ...rest) => {
    if (chunk === null || !isTooMuch(chunk)) return push(chunk, ...rest);
    request.destroy();
    return false;
  };
}

/** Looks at a form piece by piece; answers whether it has too much by now. */
function multipartLimiter(line: Buffer): (chunk: Buffer) => boolean {
  const counts = { parts: 0, headers: 0, inAll: 0 };
  let isInHeaders = false;
  let held: Buffer = Buffer.from("\r\n"); // before the first line, too
  return (chunk) => {
    const bytes = Buffer.concat([held, chunk]);
    let at = 0;
    for (;;) {
      const wanted = isInHeaders ? BLANK_LINE : line;
      const found = bytes.indexOf(wanted, at);
      // What is wanted may be cut in two between the pieces.
      const end = found >= 0 ? found + wanted.length : Math.max(at, bytes.length - wanted.length + 1);
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
