import { checkSettings } from "@/lib/accounts/stores/check-settings";
import { readClient } from "@/lib/accounts/stores/get-client";
import { type ClientSettings, settingIssues } from "@/lib/accounts/stores/settings";
import { runSimulation, type SettingsSimulation } from "@/lib/invitations/run-simulation";
import { SendSettings } from "@/lib/invitations/schema";
import { pool } from "@/lib/platform/db/pool";
import { AppError, throwIssues } from "@/lib/platform/errors";
import type { Issue } from "@/lib/platform/issue";

/**
 * Simulates given settings for a client id, validated as if they were set. Throws `not_found`, and `invalid_field` for
 * settings that are invalid or don't determine when emails are sent.
 */
export async function validateAndSimulate(
  clientId: string,
  { days, settings }: { days: number; settings: Record<string, unknown> },
): Promise<SettingsSimulation> {
  const client = await readClient(pool(), clientId);
  if (!client) throw new AppError("not_found", { reason: "client_not_found", params: { id: clientId } });
  const checked = checkSettings(settings);
  throwIssues([
    ...Object.keys(checked)
      .filter((field) => !(field in SendSettings.shape))
      .map((field): Issue => ({ field, reason: "not_a_sending_setting" })),
    ...settingIssues({ ...(client as unknown as ClientSettings), ...checked }, new Set(Object.keys(checked))),
  ]);
  return runSimulation(client, { days, settings: checked });
}
