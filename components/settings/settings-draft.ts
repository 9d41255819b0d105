import type { ClientSettings, OwnSettings } from "@/lib/accounts/stores/settings";
import type { BlocksByLanguage, TemplateLanguage } from "@/lib/accounts/stores/template-blocks/schema";

/** The settings on a page: all of a client's, which its people may change except for the contract's limit. */
export type Settings = ClientSettings & {
  /** what email templates are made of; only on their page */
  blocks?: BlocksByLanguage;
};

type Config = Settings["config"];
type Templates = NonNullable<Config["templates"]>;
/** An email template of one language. */
type TemplateName = `templates.${keyof Templates}.${keyof NonNullable<Templates[keyof Templates]>}`;

/** The name of a setting, or `config.<name>` for a field of `config`, or `blocks.<language>`. */
export type SettingName =
  | Exclude<keyof ClientSettings, "config">
  | `config.${(keyof Config & string) | TemplateName}`
  | `blocks.${TemplateLanguage}`;

/** Unsaved changes by name; a removed field of `config` is undefined. */
export type Draft = Partial<Record<SettingName, unknown>>;

/** The path of a field within `config` or `blocks`; null if it is a setting of its own. */
function pathWithin(name: string): { holder: "config" | "blocks"; path: string[] } | null {
  const [holder, ...path] = name.split(".");
  return holder === "config" || holder === "blocks" ? { holder, path } : null;
}

export function settingOf(settings: Settings, name: SettingName): unknown {
  const within = pathWithin(name);
  if (within === null) return settings[name as keyof Settings];
  return within.path.reduce<unknown>(
    (at, step) => (at as Record<string, unknown> | undefined)?.[step],
    settings[within.holder],
  );
}

/** Returns a copy of the holder with a value at the path; undefined removes it and objects left empty. */
function setAtPath(
  holder: Record<string, unknown>,
  [step = "", ...remainingPath]: string[],
  value: unknown,
): Record<string, unknown> {
  const next =
    remainingPath.length === 0
      ? value
      : setAtPath((holder[step] ?? {}) as Record<string, unknown>, remainingPath, value);
  const { [step]: _, ...others } = holder;
  const empty = next === undefined || (remainingPath.length > 0 && Object.keys(next as object).length === 0);
  return empty ? others : { ...holder, [step]: next };
}

/** The settings with the draft applied. */
export function withDraft(settings: Settings, draft: Draft): Settings {
  const changed: Record<string, unknown> = { ...settings };
  for (const [name, value] of Object.entries(draft)) {
    const within = pathWithin(name);
    if (within === null) changed[name] = value;
    else
      changed[within.holder] = setAtPath((changed[within.holder] ?? {}) as Record<string, unknown>, within.path, value);
  }
  return changed as Settings;
}

const same = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

/** The draft with a changed value; removes it if it equals the saved one. */
export function updateDraft(settings: Settings, draft: Draft, name: SettingName, value: unknown): Draft {
  const { [name]: _, ...others } = draft;
  return same(settingOf(settings, name), value) ? others : { ...others, [name]: value };
}

/** The draft without what was sent: an upload that ended meanwhile stays. */
export const withoutSent = (draft: Draft, sent: Draft): Draft =>
  Object.fromEntries(
    Object.entries(draft).filter(([name, value]) => !(name in sent && value === sent[name as SettingName])),
  );

/** What to send: the complete value of each changed setting. Blocks are sent by themselves. */
export function changesOf(settings: Settings, draft: Draft): OwnSettings {
  const merged = withDraft(settings, draft);
  const fields = new Set(Object.keys(draft).map((name) => pathWithin(name)?.holder ?? name));
  fields.delete("blocks");
  return Object.fromEntries([...fields].map((field) => [field, merged[field as keyof Settings]])) as OwnSettings;
}

/** The changed blocks of email templates; undefined if there are none. */
export function changedBlocks(settings: Settings, { blocks = {} }: Settings): BlocksByLanguage | undefined {
  const changed = Object.entries(blocks).filter(
    ([language, own]) => own && !same(own, settings.blocks?.[language as TemplateLanguage]),
  );
  return changed.length > 0 ? (Object.fromEntries(changed) as BlocksByLanguage) : undefined;
}

/** An issue's field without the request's prefix: `settings.config.send_hours` is `config.send_hours`. */
const settingPath = (field: string | null): string => (field ?? "").replace(/^settings\./, "");

export type Issues = { field: string; message: string }[];

export const issuesOf = (issues: readonly { field: string | null; message: string }[]): Issues =>
  issues.map(({ field, message }) => ({ field: settingPath(field), message }));

/** The first issue at a setting or within it, as a sentence. */
export function issueAt(issues: Issues, name: string): string | undefined {
  const found = issues.find(
    ({ field }) => field === name || field.startsWith(`${name}.`) || field.startsWith(`${name}[`),
  );
  return found?.message;
}

/** The id of a setting's control on its page. */
export const idOf = (name: string): string => `setting-${name.replaceAll(".", "-")}`;
