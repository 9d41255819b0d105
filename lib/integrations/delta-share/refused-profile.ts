import { createHmac } from "node:crypto";
import { mergeState } from "@/lib/integrations/record-run";
import type { IntegrationWithSecrets } from "@/lib/integrations/rows";
import { lastingKey } from "@/lib/platform/env";

// A profile that the share refused is not tried again by itself. It is remembered beside the rest and not in it: a test of
// the connection may find it good again while a run is at work, and must not take the run back to where it was.

type ShareIntegration = Pick<IntegrationWithSecrets<"share">, "clientId" | "secrets" | "state">;

/** Keyed: it is kept beside the sealed profile, and a plain hash could be tried out by whoever gets hold of the database. */
const profileHash = ({ secrets }: ShareIntegration): string =>
  createHmac("sha256", lastingKey("share-profile/1")).update(secrets.profile).digest("base64url");

export const isProfileRefused = (integration: ShareIntegration): boolean =>
  integration.state.refused_profile === profileHash(integration);

export const setProfileRefused = (integration: ShareIntegration, refused: boolean): Promise<void> =>
  mergeState(integration.clientId, "share", { refused_profile: refused ? profileHash(integration) : null });
