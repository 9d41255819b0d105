import type { Ratings } from "../types";
import { clientUrl, readJson } from "./service";

/** Most products per call, and most characters of its query, whose length servers limit. */
const MAX_RATINGS = 200;
const MAX_QUERY_LENGTH = 5500;

/** Calls `draw` with the rating of each subject, a query such as `key=LAMP`. Loads them in as few calls as possible. */
export async function fetchRatings(
  subjects: string[],
  draw: (rating: Ratings["ratings"][number]) => void,
): Promise<void> {
  const rest = [...new Set(subjects)];
  while (rest[0]) {
    let query = "";
    for (let n = 0; rest[0] && n < MAX_RATINGS && query.length < MAX_QUERY_LENGTH; n += 1) query += `&${rest.shift()}`;
    const { ratings } = await readJson<Ratings>(`${clientUrl("ratings.json")}?${query}`);
    ratings.forEach(draw);
  }
}
