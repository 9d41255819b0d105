// The part of JSON Schema that the platform's interaction schemas use; its own keywords are ignored.

export type Json = Record<string, unknown>;

const types: Record<string, (value: unknown) => boolean> = {
  string: (value) => typeof value === "string",
  boolean: (value) => typeof value === "boolean",
  integer: (value) => Number.isInteger(value),
  number: (value) => typeof value === "number" && Number.isFinite(value),
};

/** Returns an error message for an invalid payload; null if it is valid. */
export function validatePayload(schema: Json, payload: unknown): string | null {
  if (typeof payload !== "object" || payload === null || Array.isArray(payload)) return "The payload is no object.";
  const values = payload as Json;
  const properties = (schema.properties ?? {}) as Record<string, Json>;
  for (const name of (schema.required ?? []) as string[]) if (!(name in values)) return `${name} is required.`;
  for (const [name, value] of Object.entries(values)) {
    const allowed = properties[name];
    if (!allowed) return `${name} is not declared.`;
    if (!types[String(allowed.type)]?.(value)) return `${name} is not of type ${String(allowed.type)}.`;
  }
  return null;
}
