import { headers } from "next/headers";
import { addressOf, networkOf } from "@/lib/platform/http/address";

/** Whom limits count for when a page is asked for or its form sent: an address or IPv6 network; null where not known. */
export const visitor = async (): Promise<string | null> => networkOf(addressOf(await headers(), undefined)) || null;
