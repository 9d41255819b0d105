import { headers } from "next/headers";
import { cache } from "react";
import type { Actor } from "@/lib/accounts/actor";
import { memberOf } from "@/lib/accounts/sign-in/member";

/** Who is signed in at the page that is asked for, once a request; null when nobody is. */
export const currentActor = cache(async (): Promise<Actor | null> => memberOf(await headers()));
