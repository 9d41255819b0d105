import { headers } from "next/headers";
import { addressOf } from "@/lib/http/address";

/** The address of whoever asks for a page or sends its form; null where it is not known. */
export const visitor = async (): Promise<string | null> => addressOf(await headers(), undefined) || null;
