import type { PersonLine } from "@/lib/accounts/schema";
import type { Role, Scope } from "@/lib/platform/http/contract";

/** What a key may do, for those who choose it. */
export const scopeWords: Record<Scope, { name: string; what: string }> = {
  read: { name: "Read", what: "Reviews, orders, products and summaries, with the customers in them." },
  write: { name: "Write", what: "Send orders and reviews, and moderate." },
  privacy: { name: "Personal data", what: "See and delete everything that is stored about a person." },
};

/** What a role may do, for those who give it. */
export const roleWords: Record<Role, { name: string; what: string }> = {
  viewer: { name: "Viewer", what: "Reads everything but customers' names and addresses." },
  moderator: { name: "Moderator", what: "Also decides, replies, and holds invitations back." },
  admin: { name: "Admin", what: "Also settings, keys, people and personal data." },
  operator: { name: "Operator", what: "Runs this server and reaches every client." },
};

export const stateWords: Record<PersonLine["state"], { name: string; tone: "plain" | "good" | "warn" }> = {
  invited: { name: "Invited", tone: "warn" },
  active: { name: "Active", tone: "good" },
  disabled: { name: "Shut out", tone: "plain" },
};

/** The languages in which mails to people are written, each by its own name. */
export const languageWords = { en: "English", de: "Deutsch", fr: "Français", es: "Español", sv: "Svenska" } as const;
