import { z } from "zod";
import { webAddress } from "@/lib/platform/http/fields";
import { encodeReason } from "@/lib/platform/issue";

/** A kind of integration: its settings, its secrets, and their recipient. Browser-safe. */
export type IntegrationKind<Settings extends z.ZodObject = z.ZodObject, Secrets extends z.ZodObject = z.ZodObject> = {
  name: string;
  settings: Settings;
  /** Stored sealed, never returned. Each property is a string, optional if not every authentication method needs it. */
  secrets: Secrets;
  /**
   * Recipient of the secrets. For another server, they must be entered again, so that stored ones can't be redirected.
   * Null if a secret contains the address and isn't changed.
   */
  addressOf: (settings: z.output<Settings>, secrets: Partial<z.output<Secrets>>) => string | null;
  /** The field with the address, if it isn't a setting. */
  addressField?: string;
  /** Secrets that these settings require; by default all. */
  requiredSecrets?: (settings: z.output<Settings>) => readonly string[];
};

/** Infers the types of a kind. */
export const integrationKind = <Settings extends z.ZodObject, Secrets extends z.ZodObject>(
  kind: IntegrationKind<Settings, Secrets>,
): IntegrationKind<Settings, Secrets> => kind;

/** Address of a partner. It's shown and logged, so it can't contain credentials. */
export const partnerAddress = webAddress.refine(
  (value) => !URL.canParse(value) || (new URL(value).username === "" && new URL(value).password === ""),
  { error: encodeReason("credentials_in_address") },
);

/** A credential for a header, which only allows visible ASCII. */
export const headerText = (maxLength: number) =>
  z
    .string()
    .min(1, { error: encodeReason("empty") })
    .max(maxLength)
    .regex(/^[\x21-\x7e]*$/, { error: encodeReason("not_visible_ascii") });
