import type { SettingName, Settings } from "@/components/settings/settings-draft";
import type { TemplateBlocks, TemplateLanguage } from "@/lib/accounts/stores/template-blocks/schema";
import { defaultBlocks, type Greetings } from "@/lib/invitations/template-blocks/rules";

export const templateParts = ["subject", "html_template", "text_template"] as const;

/** The setting of a part of a template. */
export const partName = (language: TemplateLanguage, part: (typeof templateParts)[number]): SettingName =>
  language === "all" ? `config.${part}` : `config.templates.${language}.${part}`;

/** Whether there is a template for this language, or for all. */
export function hasTemplate({ config }: Settings, language: TemplateLanguage): boolean {
  const texts = language === "all" ? config : config.templates?.[language];
  return templateParts.some((part) => Boolean(texts?.[part]?.trim()));
}

/** What a template is made of, with unsaved changes. */
export type TemplateState =
  /** `isOwn`: not the default, or the one for all languages */
  | { madeOf: "blocks"; blocks: TemplateBlocks; isOwn: boolean }
  /** written as HTML, or changed as HTML since */
  | { madeOf: "html"; isOwn: boolean };

/** What the template of a language is made of. One without a template uses the one for all, else the default. */
export function templateState(
  saved: Settings,
  shown: Settings,
  language: TemplateLanguage,
  greetings: Greetings,
): TemplateState {
  const blocks = blocksOf(saved, shown, language);
  if (blocks) return { madeOf: "blocks", blocks, isOwn: true };
  if (hasTemplate(shown, language)) return { madeOf: "html", isOwn: true };
  const shared = language === "all" ? undefined : blocksOf(saved, shown, "all");
  if (!shared && language !== "all" && hasTemplate(shown, "all")) return { madeOf: "html", isOwn: false };
  return { madeOf: "blocks", blocks: shared ?? defaultBlocks(greetings[language]), isOwn: false };
}

/** The blocks of a template, unless its texts were changed by themselves. */
function blocksOf(saved: Settings, shown: Settings, language: TemplateLanguage): TemplateBlocks | undefined {
  const blocks = shown.blocks?.[language];
  if (hasUnsavedBlocks(saved, shown, language)) return blocks;
  return hasTemplate(shown, language) && textsOf(saved, language) === textsOf(shown, language) ? blocks : undefined;
}

function textsOf({ config }: Settings, language: TemplateLanguage): string {
  const texts = language === "all" ? config : config.templates?.[language];
  return JSON.stringify(templateParts.map((part) => texts?.[part] ?? null));
}

export function hasUnsavedBlocks(saved: Settings, shown: Settings, language: TemplateLanguage): boolean {
  const blocks = shown.blocks?.[language];
  return blocks !== undefined && JSON.stringify(blocks) !== JSON.stringify(saved.blocks?.[language]);
}
