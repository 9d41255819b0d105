import { headers } from "next/headers";
import { cache } from "react";
import type { Actor } from "@/lib/accounts/actor";
import { memberOf } from "@/lib/accounts/sign-in/member";

/** The person signed in to the requested page, looked up once per request; null if signed out. */
export const currentActor = cache(async (): Promise<Actor | null> => memberOf(await headers()));
