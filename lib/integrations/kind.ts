import { z } from "zod";
import { webAddress } from "@/lib/platform/http/fields";
import { encodeReason } from "@/lib/platform/issue";

/**
 * A kind of integration: what is set, what is secret, and whom the secrets are for. Browser-safe.
 */
export type IntegrationKind<Settings extends z.ZodObject = z.ZodObject, Secrets extends z.ZodObject = z.ZodObject> = {
  name: string;
  settings: Settings;
  /** Kept sealed, never answered. Each member a text; optional where not every way of signing in needs it. */
  secrets: Secrets;
  /**
   * Whom the secrets are sent to. At another server they have to be given anew: nobody gets hold of a kept one that way.
   * Where a secret names it, null while that one stays as it is.
   */
  addressOf: (settings: z.output<Settings>, secrets: Partial<z.output<Secrets>>) => string | null;
  /** The member that holds the address, where no setting does. */
  addressField?: string;
  /** Which secrets these settings need, where not all do. */
  requiredSecrets?: (settings: z.output<Settings>) => readonly string[];
};

/** Names a kind, with its types. */
export const integrationKind = <Settings extends z.ZodObject, Secrets extends z.ZodObject>(
  kind: IntegrationKind<Settings, Secrets>,
): IntegrationKind<Settings, Secrets> => kind;

/** Where a partner is. It is shown and logged, so nobody signs in by it. */
export const partnerAddress = webAddress.refine(
  (value) => !URL.canParse(value) || (new URL(value).username === "" && new URL(value).password === ""),
  { error: encodeReason("credentials_in_address") },
);

/** A credential that travels in a header, which takes signs of ASCII only. */
export const headerText = (maxLength: number) =>
  z
    .string()
    .min(1, { error: encodeReason("empty") })
    .max(maxLength)
    .regex(/^[\x21-\x7e]*$/, { error: encodeReason("not_visible_ascii") });
