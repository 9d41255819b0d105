import type { ClientSettings, OwnSettings } from "@/lib/accounts/stores/settings";

/** The settings on a page: all of a client's, which its people may change except for the contract's limit. */
export type Settings = ClientSettings;

type Config = Settings["config"];
type Templates = NonNullable<Config["templates"]>;
/** An email template of one language. */
type TemplateName = `templates.${keyof Templates}.${keyof NonNullable<Templates[keyof Templates]>}`;

/** The name of a setting, or `config.<name>` for a field of `config`. */
export type SettingName = Exclude<keyof Settings, "config"> | `config.${(keyof Config & string) | TemplateName}`;

/** Unsaved changes by name; a removed field of `config` is undefined. */
export type Draft = Partial<Record<SettingName, unknown>>;

/** The path within `config`; null if it is a setting of its own. */
const configPath = (name: string): string[] | null =>
  name.startsWith("config.") ? name.slice("config.".length).split(".") : null;

export function settingOf(settings: Settings, name: SettingName): unknown {
  const path = configPath(name);
  if (path === null) return settings[name as keyof Settings];
  return path.reduce<unknown>((at, step) => (at as Record<string, unknown> | undefined)?.[step], settings.config);
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
  const plain: Record<string, unknown> = { ...settings };
  let config: Record<string, unknown> = settings.config;
  for (const [name, value] of Object.entries(draft)) {
    const path = configPath(name);
    if (path === null) plain[name] = value;
    else config = setAtPath(config, path, value);
  }
  return { ...(plain as Settings), config: config as Settings["config"] };
}

const same = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

/** The draft with a changed value; removes it if it equals the saved one. */
export function updateDraft(settings: Settings, draft: Draft, name: SettingName, value: unknown): Draft {
  const { [name]: _, ...others } = draft;
  return same(settingOf(settings, name), value) ? others : { ...others, [name]: value };
}

/** What to send: the complete value of each changed setting. */
export function changesOf(settings: Settings, draft: Draft): OwnSettings {
  const merged = withDraft(settings, draft);
  const fields = new Set(Object.keys(draft).map((name) => (configPath(name) === null ? name : "config")));
  return Object.fromEntries([...fields].map((field) => [field, merged[field as keyof Settings]])) as OwnSettings;
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
