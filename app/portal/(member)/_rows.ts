import { cookies } from "next/headers";

/** The cookie of people who want compact rows in lists, in this browser. */
export const ROWS_COOKIE = "candor-rows";

/** Whether lists have compact rows. */
export const hasCompactRows = async (): Promise<boolean> => (await cookies()).get(ROWS_COOKIE)?.value === "compact";
