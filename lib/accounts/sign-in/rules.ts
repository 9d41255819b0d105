import type { Role } from "@/lib/platform/http/contract";

/**
 * The address to open after signing in: `wanted` if it's a path of this origin, else the portal's home page. Anything
 * that a browser could read as another host (`//host`, `/\host`, a scheme, control characters) is rejected.
 */
export function safeReturnPath(requestedPath: unknown): string {
  const home = "/portal";
  if (typeof requestedPath !== "string" || requestedPath.length > 2_000 || !/^\/(?![/\\])/.test(requestedPath))
    return home;
  // Browsers drop tabs and line breaks from addresses: "/\t/host" would become "//host".
  if (/[\p{Cc}\\]/u.test(requestedPath)) return home;
  const base = "http://own.invalid";
  if (!URL.canParse(requestedPath, base)) return home;
  const url = new URL(requestedPath, base);
  if (url.origin !== base || url.pathname.startsWith("//") || url.pathname.startsWith("/portal/sign-in")) return home;
  return url.pathname + url.search + url.hash;
}

const roleOrder: readonly Role[] = ["viewer", "moderator", "admin", "operator"];

/** Whether `role` includes the permissions of `needed`. Browser-safe. */
export const hasRole = (role: Role, needed: Role): boolean => roleOrder.indexOf(role) >= roleOrder.indexOf(needed);
