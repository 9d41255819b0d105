import { now } from "@/lib/platform/clock";
import { rowCache } from "@/lib/platform/db/cache";
import { type Db, pool } from "@/lib/platform/db/pool";

/** A client with all settings, as in the `clients` table: column names are the API's field names. */
export type ClientRow = {
  id: string;
  account_id: string;
  account_name: string;
  locale: string;
  display_name: string;
  email_name: string;
  contact_email: string | null;
  contact_url: string | null;
  send_emails_after_days: number;
  send_emails_before_days: number;
  send_limit: number;
  contract_send_limit: number | null;
  quarantine_period: number | null;
  min_review_words: number | null;
  min_review_words_promoter: number | null;
  collect_seller_reviews: boolean;
  collect_pros_cons: boolean;
  collect_questions: boolean;
  collect_recommended: boolean;
  own_moderation: boolean;
  auto_moderate: boolean;
  require_verification: boolean;
  must_agree_to_terms: boolean;
  must_agree_to_terms_web: boolean;
  external_review_locale: string;
  external_review_countries: string | null;
  external_pro_reviews: boolean;
  external_user_reviews: boolean;
  expand_family: boolean;
  config: Record<string, unknown>;
  custom_questions: unknown[];
  allowed_origins: string[];
  rules: Record<string, unknown>;
  public_key: string;
  demo: boolean;
  /** of a test store: days by which its clock is ahead; null = a real store */
  test_days: number | null;
  /** signed in the link to a test store's recording */
  recording_version: number;
  version: number;
};

/**
 * The present row of a client, read with `db`, for callers that need it uncached or in one snapshot with other rows.
 */
export async function readClient(db: Db, id: string): Promise<ClientRow | null> {
  const { rows } = await db.query<ClientRow>({
    name: "get-client",
    text: "select c.*, a.name as account_name from clients c join accounts a on a.id = c.account_id where c.id = $1",
    values: [id],
  });
  return rows[0] ?? null;
}

const cache = () =>
  rowCache<ClientRow>(
    "clients",
    (id) => readClient(pool(), id),
    (id) => [`client:${id}`],
  );

/** Characters of the longest id that a client can have. */
const LONGEST_ID = 100;

/**
 * The client with this id, or null. Cached for up to a second, less if it changes. Invalid ids aren't looked up: misses
 * are cached, too, and a caller could send ids as long as a request body allows.
 */
export const getClient = async (id: string): Promise<ClientRow | null> =>
  id.length > LONGEST_ID || id.includes("\0") ? null : cache().get(id);

/** Whether it is a test store: its emails stay in the mailbox, its pages are marked, and it counts nowhere. */
export const isTestStore = ({ test_days }: Pick<ClientRow, "test_days">): boolean => test_days !== null;

/** The present time on the store's clock: that of a test store may be ahead. */
export const storeNow = ({ test_days }: Pick<ClientRow, "test_days">): Date =>
  new Date(now().getTime() + (test_days ?? 0) * 86_400_000);

/** What authors get for a review (`config.incentive`), null if the store declares nothing. */
export const incentiveOf = (client: Pick<ClientRow, "config">): string | null =>
  typeof client.config.incentive === "string" ? client.config.incentive : null;

/** The client's time zone (`config.time_zone`, default UTC). */
export const timeZoneOf = (client: Pick<ClientRow, "config">): string =>
  typeof client.config.time_zone === "string" ? client.config.time_zone : "UTC";
