import { afterEach, expect, it, vi } from "vitest";
import { translateInBrowser } from "@/components/moderation/browser-translator";

const languages = { sourceLanguage: "de", targetLanguage: "en" };
afterEach(() => vi.unstubAllGlobals());

/** A browser's translator that downloads a language in two parts. */
function stubTranslator(availability: string) {
  const destroy = vi.fn();
  const create = vi.fn(async ({ monitor }) => {
    monitor?.({
      addEventListener: (_type: string, listener: (event: { loaded: number }) => void) => {
        for (const loaded of [0.5, 1]) listener({ loaded });
      },
    });
    return {
      destroy,
      translate: async (text: string) => {
        if (text === "?") throw new Error("Not translated.");
        return `en: ${text}`;
      },
    };
  });
  vi.stubGlobal("Translator", { availability: async () => availability, create });
  return { create, destroy };
}

it("translates filled texts in order, and reports the download of a language", async () => {
  const { destroy } = stubTranslator("downloadable");
  const onDownload = vi.fn();
  expect(await translateInBrowser(["Hell", "", "Sehr hell."], languages, { onDownload })).toEqual([
    "en: Hell",
    "",
    "en: Sehr hell.",
  ]);
  expect(onDownload.mock.calls).toEqual([[0.5], [1]]);
  expect(destroy).toHaveBeenCalledOnce();
});

it("downloads nothing for languages that the browser doesn't have, or without a translator", async () => {
  const onDownload = vi.fn();
  expect(await translateInBrowser(["Hell"], languages, { onDownload })).toBeNull();
  const { create } = stubTranslator("unavailable");
  expect(await translateInBrowser(["Hell"], languages, { onDownload })).toBeNull();
  expect(create).not.toHaveBeenCalled();
});

it("releases the translator if a text fails, or the person moved on", async () => {
  const { destroy } = stubTranslator("available");
  const onDownload = () => undefined;
  await expect(translateInBrowser(["?"], languages, { onDownload })).rejects.toThrow("Not translated.");
  const signal = AbortSignal.abort();
  await expect(translateInBrowser(["Hell"], languages, { onDownload, signal })).rejects.toThrow();
  expect(destroy).toHaveBeenCalledTimes(2);
});

it("doesn't wait long for a browser that never says which languages it has", async () => {
  vi.useFakeTimers();
  try {
    vi.stubGlobal("Translator", { availability: () => new Promise(() => undefined) });
    const translated = translateInBrowser(["Hell"], languages, { onDownload: () => undefined });
    await vi.advanceTimersByTimeAsync(3_000);
    expect(await translated).toBeNull();
  } finally {
    vi.useRealTimers();
  }
});
