import { headers } from "next/headers";
import { ipAddressOf, networkOf } from "@/lib/platform/http/address";

/** Whom limits count for when a page is asked for or its form sent: an address or IPv6 network; null where not known. */
export const visitorNetwork = async (): Promise<string | null> =>
  networkOf(ipAddressOf(await headers(), undefined)) || null;
