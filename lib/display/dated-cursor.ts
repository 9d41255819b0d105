import { decodeCursor, encodeCursor } from "@/lib/platform/http/cursor";

/** Where a page of a list by date starts: after the row with this date, time and id. */
export type DatedCursor = { date: string; createdAt: string; id: string };

/** Decodes the cursor of a list by date. Throws `invalid_cursor`. */
export function decodeDatedCursor(after: string, order: string): DatedCursor {
  const { key } = decodeCursor(after, order, ["time", "time", "text"]);
  const [day = "", createdAt = "", id = ""] = key;
  return { date: day.slice(0, 10), createdAt, id };
}

/** A cursor after this row of a list by date. */
export const encodeDatedCursor = (
  { date, created_at, id }: { date: string; created_at: Date; id: string },
  order: string,
) => encodeCursor({ order, key: [`${date}T00:00:00.000Z`, created_at.toISOString(), id], startedAt: null });
