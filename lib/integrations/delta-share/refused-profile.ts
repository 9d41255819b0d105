import { createHmac } from "node:crypto";
import { rememberState } from "@/lib/integrations/record-run";
import type { Opened } from "@/lib/integrations/rows";
import { lastingKey } from "@/lib/platform/env";

// A profile that the share refused is not tried again by itself. It is remembered beside the rest and not in it: a test of
// the connection may find it good again while a run is at work, and must not take the run back to where it was.

type Holder = Pick<Opened<"share">, "clientId" | "secrets" | "state">;

/** Keyed: it is kept beside the sealed profile, and a plain hash could be tried out by whoever gets hold of the database. */
const profileHash = ({ secrets }: Holder): string =>
  createHmac("sha256", lastingKey("share-profile/1")).update(secrets.profile).digest("base64url");

export const isRefused = (integration: Holder): boolean =>
  integration.state.refused_profile === profileHash(integration);

export const noteRefused = (integration: Holder, refused: boolean): Promise<void> =>
  rememberState(integration.clientId, "share", { refused_profile: refused ? profileHash(integration) : null });
