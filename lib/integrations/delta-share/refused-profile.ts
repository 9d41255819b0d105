import { createHmac } from "node:crypto";
import { mergeState } from "@/lib/integrations/record-run";
import type { IntegrationWithSecrets } from "@/lib/integrations/rows";
import { lastingKey } from "@/lib/platform/env";

// A profile that the share rejected isn't retried automatically. The rejection is stored apart from the sync state, so
// that a successful connection test doesn't overwrite the state of a concurrent run.

type ShareIntegration = Pick<IntegrationWithSecrets<"share">, "clientId" | "secrets" | "state">;

/**
 * Keyed, since it's stored next to the sealed profile: a plain hash could be brute-forced by anyone with access to the
 * database.
 */
const profileHash = ({ secrets }: ShareIntegration): string =>
  createHmac("sha256", lastingKey("share-profile/1")).update(secrets.profile).digest("base64url");

export const isProfileRefused = (integration: ShareIntegration): boolean =>
  integration.state.refused_profile === profileHash(integration);

export const setProfileRefused = (integration: ShareIntegration, refused: boolean): Promise<void> =>
  mergeState(integration.clientId, "share", { refused_profile: refused ? profileHash(integration) : null });
