import type { Entry, LoggedKind } from "@/lib/honesty/entry";

/** A row of the history, with what its entries in the log need of its item. */
export type HistoryRow = {
  id: number;
  client_id: string;
  kind: LoggedKind | "store";
  subject_id: string;
  at: Date;
  actor_kind: string;
  action: string;
  from_state: string | null;
  to_state: string | null;
  reason: string | null;
  /** Of an edit: the texts before. */
  texts: Record<string, unknown> | null;
  /** Of a row about the store. */
  facts: Record<string, unknown> | null;
  /** Whether it is the first row about its item. */
  is_first: boolean;
  /** The item's salt; null once the item is deleted, whose rows have its reference as their `subject_id`. */
  salt: string | null;
  /** Of a submission or an edit: the texts afterwards, if they are still known. */
  texts_then: Record<string, unknown> | null;
  source: string | null;
  verified_buyer: boolean | null;
  verified_email: boolean | null;
  /** Of a submission or an edit: whether the author was offered something, as known afterwards. */
  incentivized: boolean | null;
  /** Of a submission: whether its author had to confirm the address first. */
  unconfirmed: boolean | null;
};

/** What rows of the kind `store` say, by their action. Their other fields are the row's `facts`. */
export type StoreAction = Extract<
  Entry["type"],
  "settings" | "import" | "import_undone" | "invitations" | "key" | "key_retired"
>;
