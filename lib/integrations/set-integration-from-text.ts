import type { z } from "zod";
import type { Actor } from "@/lib/accounts/actor";
import type { ClientRow } from "@/lib/accounts/stores/get-client";
import { kinds } from "@/lib/integrations/kinds";
import { isKind, selectIntegration } from "@/lib/integrations/rows";
import { type Integration, IntegrationInput } from "@/lib/integrations/schema";
import { changeIntegration, createIntegration } from "@/lib/integrations/set-integration";
import { AppError } from "@/lib/platform/errors";
import { validate } from "@/lib/platform/http/validate";

/**
 * Connects a client or changes its integration from command line arguments: `name=value` pairs, parsed by the setting's
 * type (`null` is null, lists have commas), and credentials. Other settings stay. Throws `invalid_field`, and
 * `invalid_parameter` for an unknown type.
 */
export async function setIntegrationFromText(
  actor: Pick<Actor, "kind" | "id">,
  client: Pick<ClientRow, "id">,
  type: string,
  pairs: string[],
  secrets: unknown,
): Promise<Integration> {
  if (!isKind(type))
    throw new AppError("invalid_parameter", {
      reason: "unknown_integration",
      params: { type, known: Object.keys(kinds).join(", ") },
    });
  const before = await selectIntegration(client.id, type);
  const settings: Record<string, unknown> = { ...before?.settings };
  const shape: Record<string, z.ZodType> = kinds[type].settings.shape;
  for (const pair of pairs) {
    const [, name = "", value = ""] = /^([^=]+)=(.*)$/s.exec(pair) ?? [];
    const setting = Object.hasOwn(shape, name) ? shape[name] : undefined;
    if (!setting)
      throw new AppError("invalid_field", {
        reason: "unknown_setting",
        params: { name: name || pair },
        field: name || pair,
      });
    settings[name] = readValue(value, setting);
  }
  const input: IntegrationInput = validate(
    IntegrationInput,
    { kind: type, settings, secrets, version: before?.version },
    "invalid_field",
  );
  return before ? changeIntegration(actor, client, type, input) : createIntegration(actor, client, input);
}

/**
 * Parses text for a setting: as is, as JSON, or as a list. If nothing fits, returns the text, so that validation
 * reports the issue.
 */
function readValue(text: string, setting: z.ZodType): unknown {
  if (text === "null") return null;
  const parsers: (() => unknown)[] = [() => text, () => JSON.parse(text), () => text.split(",")];
  for (const reading of parsers) {
    try {
      const value = reading();
      if (setting.safeParse(value).success) return value;
    } catch {
      // not JSON: try the next one
    }
  }
  return text;
}
