import type { PersonLine } from "@/lib/accounts/schema";
import type { Role, Scope } from "@/lib/platform/http/contract";
import type { Language } from "@/lib/platform/i18n/languages";
import type { MessageKey } from "@/lib/platform/i18n/translator";

/** What a scope permits, for people who create keys. */
export const scopeLabels: Record<Scope, { name: MessageKey; what: MessageKey }> = {
  read: { name: "access.read", what: "access.readHint" },
  write: { name: "access.write", what: "access.writeHint" },
  privacy: { name: "common.personalData", what: "access.personalDataHint" },
};

/** What a role permits, for people who assign it. */
export const roleLabels: Record<Role, { name: MessageKey; what: MessageKey }> = {
  viewer: { name: "access.viewer", what: "access.viewerHint" },
  moderator: { name: "access.moderator", what: "access.moderatorHint" },
  admin: { name: "access.admin", what: "access.adminHint" },
  operator: { name: "access.operator", what: "access.operatorHint" },
};

export const stateLabels: Record<PersonLine["state"], { name: MessageKey; tone: "plain" | "good" | "warn" }> = {
  invited: { name: "common.invited", tone: "warn" },
  active: { name: "team.stateActive", tone: "good" },
  disabled: { name: "team.stateDeactivated", tone: "plain" },
};

/** A language's own name, as its readers look for it: Deutsch. */
export const ownLanguageName = (language: Language): string => {
  const name = new Intl.DisplayNames([language], { type: "language" }).of(language) ?? language;
  return name.charAt(0).toLocaleUpperCase(language) + name.slice(1);
};
