import type { MessageKey } from "@/lib/platform/i18n/translator";

/** What the reader corrects to use a row. Loses no meaning, or only what was unreadable. */
export const repairMessages = {
  invalid_characters: "importReports.fixInvalidCharacters",
  guessed_encoding: "importReports.fixEncoding",
  control_characters: "importReports.fixControlCharacters",
  entities: "importReports.fixEntities",
  blanks: "importReports.fixSpaces",
  line_breaks: "importReports.fixLineBreaks",
  relative_url: "importReports.fixRelativeUrls",
  unclosed_element: "importReports.fixUnclosedElements",
  stray_quotes: "importReports.fixStrayQuotes",
  cells: "importReports.fixCells",
  text_before: "importReports.fixTextBefore",
  long_value: "importReports.fixLongValues",
  many_properties: "importReports.fixManyProperties",
  html: "importReports.fixHtml",
  rounded_score: "importReports.fixDecimals",
  ambiguous_date: "importReports.fixAmbiguousDates",
  unknown_status: "importReports.fixUnknownStatus",
  verified_mark: "importReports.fixVerifiedBadges",
  pictures_left: "importReports.fixImageUrls",
} as const satisfies Record<string, MessageKey>;

export type RepairKind = keyof typeof repairMessages;
