import { headers } from "next/headers";
import { ipAddressOf, networkOf } from "@/lib/platform/http/address";

/** The address or IPv6 network that rate limits count for a page or its form; null if unknown. */
export const visitorNetwork = async (): Promise<string | null> =>
  networkOf(ipAddressOf(await headers(), undefined)) || null;
