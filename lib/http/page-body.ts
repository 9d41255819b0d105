const MiB = 1024 * 1024;

/**
 * Bytes that the body of a request to a page may have. Next reads the form of a server action whole, before any guard of
 * the page has spoken, so only the two public forms that take photos may be large.
 */
const limitOf = (path: string): number => {
  if (/^\/(r\/[^/]+|reviews\/new)$/.test(path)) return 110 * MiB;
  if (path === "/api/inngest") return 8 * MiB; // a run's steps travel with each call
  return MiB;
};

/** Why a request to a page is refused before its body is read: status and sentence; null when it may go on. */
export function pageBodyRefusal(
  path: string,
  headers: { "content-length"?: string; "transfer-encoding"?: string },
): { status: 411 | 413; message: string } | null {
  if (headers["transfer-encoding"] !== undefined) {
    return { status: 411, message: "Send the length of the body (Content-Length)." };
  }
  const most = limitOf(path);
  if (Number(headers["content-length"] ?? 0) <= most) return null;
  return { status: 413, message: `The body must be at most ${most / MiB} MiB.` };
}
