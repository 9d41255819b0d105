import { describe, expect, it } from "vitest";
import { changedBlocks, changesOf, type Draft, type Settings, withDraft } from "@/components/settings/settings-draft";
import { hasUnsavedBlocks, templateState } from "@/components/settings/template-parts";
import { compileBlocks } from "@/lib/invitations/template-blocks/compile";
import { defaultGreetings } from "@/lib/invitations/template-blocks/default-greetings";
import { defaultBlocks } from "@/lib/invitations/template-blocks/rules";

const greetings = defaultGreetings();
const shared = defaultBlocks("For all");
const german = defaultBlocks("Moin");
const saved = {
  config: { ...compileBlocks(shared), templates: { de: compileBlocks(german), sv: { subject: "Hej" } } },
  blocks: { all: shared, de: german },
} as unknown as Settings;

const state = (language: "all" | "de" | "fr" | "sv", draft: Draft = {}, from = saved) =>
  templateState(from, withDraft(from, draft), language, greetings);

describe("what a template is made of", () => {
  it("is its blocks, those for all languages, HTML or the default", () => {
    expect(state("all")).toEqual({ madeOf: "blocks", blocks: shared, isOwn: true });
    expect(state("de")).toEqual({ madeOf: "blocks", blocks: german, isOwn: true });
    expect(state("fr")).toEqual({ madeOf: "blocks", blocks: shared, isOwn: false });
    expect(state("sv")).toEqual({ madeOf: "html", isOwn: true });
    const blank = { config: {}, blocks: {} } as unknown as Settings;
    expect(state("de", {}, blank)).toEqual({ madeOf: "blocks", blocks: defaultBlocks(greetings.de), isOwn: false });
    const html = { config: { html_template: "<p>" }, blocks: {} } as unknown as Settings;
    expect(state("de", {}, html)).toEqual({ madeOf: "html", isOwn: false });
  });

  it("follows unsaved changes of blocks and of texts", () => {
    const own = defaultBlocks("Salut");
    expect(state("fr", { "blocks.fr": own })).toEqual({ madeOf: "blocks", blocks: own, isOwn: true });
    expect(state("de", { "config.templates.de.subject": "x" })).toEqual({ madeOf: "html", isOwn: true });
    const removed: Draft = {
      "blocks.de": undefined,
      "config.templates.de.subject": undefined,
      "config.templates.de.html_template": undefined,
      "config.templates.de.text_template": undefined,
    };
    expect(state("de", removed)).toEqual({ madeOf: "blocks", blocks: shared, isOwn: false });
    expect(withDraft(saved, removed).config.templates).toEqual({ sv: { subject: "Hej" } });
  });
});

it("sends only changed blocks, next to the settings", () => {
  const own = defaultBlocks("Salut");
  const draft: Draft = { "blocks.fr": own, "blocks.de": german, "config.logo_url": "https://shop.example/l.png" };
  const shown = withDraft(saved, draft);
  expect(changedBlocks(saved, shown)).toEqual({ fr: own });
  expect(changesOf(saved, draft)).toEqual({ config: { ...saved.config, logo_url: "https://shop.example/l.png" } });
  expect([hasUnsavedBlocks(saved, shown, "fr"), hasUnsavedBlocks(saved, shown, "de")]).toEqual([true, false]);
  expect(changedBlocks(saved, saved)).toBeUndefined();
  expect(changesOf(saved, { "blocks.fr": own })).toEqual({});
});
