import type { ClientSettings } from "@/lib/accounts/stores/settings";
import type { BlocksByLanguage, TemplateLanguage } from "@/lib/accounts/stores/template-blocks/schema";
import { type CompiledTemplate, compileBlocks } from "@/lib/invitations/template-blocks/compile";
import { blockIssues } from "@/lib/invitations/template-blocks/rules";
import { languages } from "@/lib/platform/i18n/languages";
import type { Issue } from "@/lib/platform/issue";

type Config = ClientSettings["config"];
/** The texts of a template in the settings; absent ones are the default. */
export type TemplateTexts = { [Part in keyof CompiledTemplate]?: CompiledTemplate[Part] | undefined };

export const templateLanguages: readonly TemplateLanguage[] = ["all", ...languages];

/** The texts of a template in the settings; blank ones count as absent. */
export function templateTexts(config: Config, language: TemplateLanguage): TemplateTexts {
  const { subject, html_template, text_template } =
    language === "all" ? config : ((config.templates?.[language] ?? {}) as TemplateTexts);
  const filled = (text: string | undefined) => (text === undefined || text.trim() === "" ? undefined : text);
  return { subject: filled(subject), html_template: filled(html_template), text_template: filled(text_template) };
}

/** Replaces the texts of a template in the settings. */
export function withTemplateTexts(config: Config, language: TemplateLanguage, texts: TemplateTexts): Config {
  const given = Object.fromEntries(Object.entries(texts).filter(([, text]) => text !== undefined));
  if (language === "all") {
    const { subject: _s, html_template: _h, text_template: _t, ...others } = config;
    return { ...others, ...given };
  }
  const { [language]: _, ...others } = config.templates ?? {};
  const templates = Object.keys(given).length > 0 ? { ...others, [language]: given } : others;
  const { templates: _old, ...rest } = config;
  return Object.keys(templates).length > 0 ? { ...rest, templates } : rest;
}

/** The settings with templates compiled from blocks. */
export function withBlocks(config: Config, blocks: BlocksByLanguage): Config {
  let compiled = config;
  for (const language of templateLanguages) {
    const own = blocks[language];
    if (own) compiled = withTemplateTexts(compiled, language, compileBlocks(own));
  }
  return compiled;
}

/** What is missing in templates made of blocks. */
export const allBlockIssues = (blocks: BlocksByLanguage): Issue[] =>
  templateLanguages.flatMap((language) => {
    const own = blocks[language];
    return own ? blockIssues(own, `blocks.${language}`) : [];
  });
