import { z } from "zod";
import { encodeReason } from "@/lib/platform/issue";

/** Shared field types. Browser-safe. */

const longerThan = (value: string, max: number): boolean => {
  if (value.length <= max) return false;
  let count = 0;
  for (const _ of value) if (++count > max) return true;
  return false;
};

/** Text of at most `most` characters, counted in code points: an emoji is one. */
export const text = (max: number) =>
  z
    .string()
    .refine((value) => !longerThan(value, max), { error: encodeReason("too_long", { max }) })
    .meta({ maxLength: max });

/** Like {@link text}, but accepts blank text of any length. */
export const textOrBlank = (max: number) =>
  z
    .string()
    .refine((value) => !longerThan(value, max) || value.trim() === "", {
      error: encodeReason("too_long", { max }),
    })
    .meta({ maxLength: max });

/** Text that isn't empty or blank. */
export const filledText = (maxLength: number) =>
  text(maxLength)
    .refine((value) => value.trim() !== "", { error: encodeReason("empty") })
    .meta({ minLength: 1, maxLength });

/** A store's own id. A whole number is accepted and converted to text. */
export const shopId = z
  .preprocess((value) => (Number.isSafeInteger(value) ? String(value) : value), filledText(255))
  .meta({ type: ["string", "integer"] });

const MAX_AMOUNT = 999_999_999_999;

/** An amount of money, at least 0, as a number or as text such as `129.90`; rounded to three decimals. */
export const amount = z
  .preprocess(
    (value) => (typeof value === "string" && /^\s*\d+(\.\d+)?\s*$/.test(value) ? Number(value) : value),
    z.number().min(0).max(MAX_AMOUNT),
  )
  .transform((value) => Math.round(value * 1_000) / 1_000)
  .meta({ type: ["number", "string"] });

/** An optional or nullable field. Blank text becomes null: stores' exports often contain it. */
export const blankIsNull = <S extends z.ZodType>(schema: S) =>
  z.preprocess(
    (value) => (typeof value === "string" && value.trim() === "" ? null : value),
    schema.nullable().optional(),
  );

/** A language such as `sv` or `pt-BR`. */
export const languageCode = z
  .string()
  .max(35)
  .regex(/^[A-Za-z]{2,3}([-_][A-Za-z0-9]{2,8})*$/, { error: encodeReason("not_a_language", { example: "en" }) });

/** An existing day, `YYYY-MM-DD`, from year 1: PostgreSQL has no year 0. */
export const day = z.iso
  .date({ error: (issue) => (issue.input === undefined ? encodeReason("required") : encodeReason("not_a_date")) })
  .refine((value) => !value.startsWith("0000"), { error: encodeReason("date_before_year_one") });

/**
 * A day, or a time of which only the day counts: without an offset the written day, otherwise the time as ISO text, to
 * be converted to a day in the client's time zone (`withLocalDeliveryDay`).
 */
export const dayOrTime = z.string().transform((value, context) => {
  const [, date, offset] =
    /^(\d{4}-\d\d-\d\d)(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(Z|[+-]\d\d:?\d\d)?)?$/.exec(value) ?? [];
  const time = new Date(value.replace(" ", "T").replace(/([+-]\d\d)(\d\d)$/, "$1:$2"));
  if (date !== undefined && day.safeParse(date).success && !Number.isNaN(time.getTime())) {
    if (!offset) return date;
    if (/^(?!0000)\d{4}-/.test(time.toISOString())) return time.toISOString();
  }
  context.addIssue({ code: "custom", message: encodeReason("not_a_date_or_time") });
  return z.NEVER;
});

/** An http or https URL. */
export const webAddress = text(2_000).refine(
  (value) => URL.canParse(value) && /^https?:$/.test(new URL(value).protocol),
  { error: encodeReason("not_a_web_address") },
);

/** Maximum bytes of an email address that mail servers accept. */
const MAX_ADDRESS_BYTES = 320;
/** Maximum UTF-8 bytes of one UTF-16 unit. */
const MAX_BYTES_PER_CHARACTER = 3;

/** Measured in normalized form, since that is what indexes contain. */
function fitsMailServers(address: string): boolean {
  const compared = address.trim().normalize("NFC").toLowerCase();
  return (
    compared.length * MAX_BYTES_PER_CHARACTER <= MAX_ADDRESS_BYTES ||
    new TextEncoder().encode(compared).length <= MAX_ADDRESS_BYTES
  );
}

/** An email address: stored as given and validated loosely (something@something), since real ones vary. */
export const emailAddress = z
  .string()
  .refine(fitsMailServers, { error: encodeReason("too_many_bytes", { max: MAX_ADDRESS_BYTES }) })
  .refine((value) => /^[^\s@<>",;]+@[^\s@<>",;]+$/.test(value.trim()), { error: encodeReason("not_an_email") })
  .meta({ maxLength: MAX_ADDRESS_BYTES });

/** `limit` of a list: default 100, at least 1; values above 1000 become 1000. */
export const limit = z
  .string()
  .regex(/^\d+$/, { error: encodeReason("not_a_count", { min: 1 }) })
  .transform(Number)
  .refine((value) => value >= 1, { error: encodeReason("not_a_count", { min: 1 }) })
  .transform((value) => Math.min(value, 1000))
  .default(100)
  .meta({
    description: "Rows per page; values above 1000 count as 1000.",
    override: { type: "integer", minimum: 1, default: 100 },
  });

/** `client_id` of a call about one client. */
export const clientId = z
  .string()
  .optional()
  .meta({ description: "Store that the call is about. Required if the caller has access to several." });

/** `after` of a list. */
export const cursor = z
  .string()
  .optional()
  .meta({ description: "Cursor from `links.next` of the previous page. Opaque." });

/** `YYYY-MM-DD` (midnight UTC) or `YYYY-MM-DDTHH:MM:SSZ`, as ISO text. */
export const moment = z
  .string()
  .regex(/^\d{4}-\d\d-\d\d(T\d\d:\d\d:\d\d(\.\d{1,9})?(Z|[+-]\d\d:?\d\d))?$/, {
    error: encodeReason("not_a_moment"),
  })
  .transform((value, context) => {
    const date = new Date(value.length === 10 ? `${value}T00:00:00Z` : value);
    const exists = !Number.isNaN(date.getTime()) && day.safeParse(value.slice(0, 10)).success;
    // An offset may move a time beyond four-digit years.
    if (exists && /^(?!0000)\d{4}-/.test(date.toISOString())) return date.toISOString();
    context.addIssue({ code: "custom", message: encodeReason("moment_does_not_exist") });
    return z.NEVER;
  });

/** A boolean query parameter: `1`, `true`, `0`, `false`. */
export const queryFlag = z.enum(["1", "true", "0", "false"]).transform((value) => value === "1" || value === "true");

/** A time in a response: whole seconds, UTC. */
export const timestamp = z
  .string()
  .regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/)
  .meta({ format: "date-time" });

/** A page of rows with a link to the next page. */
export const page = <R extends z.ZodType>(row: R) =>
  z.object({
    data: z.array(row),
    links: z.object({
      next: z.url().optional().meta({ description: "URL of the next page; absent on the last." }),
    }),
  });

export const single = <R extends z.ZodType>(row: R) => z.object({ data: row });

/** The reason of an error, for programs: a key of the error messages, and the parameters of its message. */
export const reason = z.string().meta({
  description: "Reason, finer than `code`, such as `too_long`. Use it to translate errors.",
});
export const params = z
  .record(z.string(), z.union([z.string(), z.number()]))
  .meta({ description: 'Values in the message, such as `{"max": 255}`.' });

/** The reasons of stored messages, by the member that contains the message. */
export const notices = z
  .record(
    z.string(),
    z.array(z.object({ message: z.string(), field: z.string().nullable(), reason: reason.nullable(), params })),
  )
  .optional()
  .describe(
    "Reasons and values that stored messages are made from, by the field that contains the message. Messages of earlier releases are not included.",
  );

export const errorBody = z
  .object({
    errors: z
      .array(
        z.object({
          code: z.string().meta({ description: "Kind of error, for programs." }),
          message: z.string().meta({ description: "Error message in English, for people." }),
          field: z
            .string()
            .nullable()
            .meta({ description: "Path of the field, such as `order.items[0].delivery_date`." }),
          reason,
          params,
        }),
      )
      .min(1)
      .meta({ description: "All errors of the request." }),
  })
  .meta({ id: "Errors" });

/** JSONP: programs made for a hosted service send names of up to 128 characters. */
export const callback = z
  .string()
  .regex(/^[A-Za-z_$][\w$.]{0,127}$/, { error: encodeReason("not_a_function_name") })
  .optional()
  .meta({
    description:
      "Name of a JavaScript function to wrap the response in (JSONP). Errors are not wrapped: they are JSON with an error status, and the script element fires `error`.",
  });
