import type { AuditLine } from "@/lib/accounts/schema";
import type { Words } from "@/lib/words/rules";

/** What was done, in words; the action itself where there are none. */
const actions: Record<string, string> = {
  "client.updated": "Settings changed",
  "key.created": "Key made",
  "key.revoked": "Key revoked",
  "user.invited": "Person invited",
  "user.changed": "Person changed",
  "user.disabled": "Person shut out",
  "user.enabled": "Person let in again",
  "user.link_mailed": "Link for a password mailed",
  "user.address_changed": "Own address changed",
  "password.set": "First password set",
  "password.reset": "Password set anew by a mailed link",
  "password.changed": "Own password changed",
  "second_factor.enabled": "Second factor switched on",
  "second_factor.disabled": "Second factor switched off",
  "feed.created": "Feed added",
  "feed.updated": "Feed changed",
  "feed.deleted": "Feed removed",
  "feed.uploaded": "File imported",
  "integration.created": "System connected",
  "integration.updated": "Connection changed",
  "integration.paused": "Connection paused",
  "integration.resumed": "Connection resumed",
  "integration.removed": "System disconnected",
  "integration.retried": "Failed deliveries tried again",
  "integration.deletions_confirmed": "Many products let go from the catalogue",
  "webhook.created": "Webhook added",
  "webhook.updated": "Webhook changed",
  "webhook.rotated": "Secret of a webhook made anew",
  "webhook.paused": "Webhook paused",
  "webhook.resumed": "Webhook resumed",
  "webhook.removed": "Webhook removed",
  "webhook.replayed": "Events told again",
  "order.tried": "Test order made",
  "order.held": "Items of an order held back",
  "order.released": "Items of an order let go",
  "order.sent": "Mail of an order sent by hand",
  "personal_data.deleted": "Person removed",
  "personal_data.copied": "Copy of personal data handed out",
};

export const actionWords = (action: string, t: Words): string => t(actions[action] ?? action.replace(/[._]/g, " "));

/** What may be looked for, by the first word of an action. */
const subjects: Record<string, string> = {
  client: "Settings",
  key: "API keys",
  user: "People",
  password: "Passwords",
  second_factor: "Second factors",
  feed: "Feeds",
  integration: "Connected systems",
  webhook: "Webhooks",
  order: "Orders",
  personal_data: "Personal data",
};

export const subjectWords = (subject: string, t: Words): string => t(subjects[subject] ?? subject);

const LONGEST = 140;

/** The particulars of a line in one row of text: `role: admin, was: viewer`. What stands beside it is not said again. */
export function detailWords({ detail, subject_name }: Pick<AuditLine, "detail" | "subject_name">): string {
  const words = Object.entries(detail)
    .filter(([, value]) => value !== subject_name)
    .map(([name, value]) => `${name.replaceAll("_", " ")}: ${valueWords(value)}`)
    .join(", ");
  return [...words].length > LONGEST ? `${[...words].slice(0, LONGEST).join("")} …` : words;
}

const valueWords = (value: unknown): string => {
  if (typeof value === "string") return value;
  if (Array.isArray(value) && value.every((each) => typeof each === "string")) return value.join(" + ");
  return JSON.stringify(value);
};
