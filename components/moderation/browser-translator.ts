// The browser's own translator (Translator API, Chrome 138 and later): texts don't leave the machine.

type Availability = "unavailable" | "downloadable" | "downloading" | "available";
type Languages = { sourceLanguage: string; targetLanguage: string };
type DownloadProgress = Event & { /** 0 to 1 */ loaded: number };
type BrowserTranslator = { translate: (text: string) => Promise<string>; destroy: () => void };
type TranslatorApi = {
  availability: (languages: Languages) => Promise<Availability>;
  create: (
    options: Languages & {
      signal?: AbortSignal;
      monitor?: (monitor: {
        addEventListener: (type: "downloadprogress", listener: (event: DownloadProgress) => void) => void;
      }) => void;
    },
  ) => Promise<BrowserTranslator>;
};

const translatorApi = (): TranslatorApi | undefined => (globalThis as { Translator?: TranslatorApi }).Translator;

/** How long to wait for the browser's answer, in milliseconds: one without models may never respond. */
const AVAILABILITY_MS = 3_000;

async function hasLanguages(api: TranslatorApi, languages: Languages): Promise<boolean> {
  const noResponse = new Promise<Availability>((done) => setTimeout(() => done("unavailable"), AVAILABILITY_MS));
  return (await Promise.race([api.availability(languages), noResponse])) !== "unavailable";
}

/**
 * Translates texts in the browser. Null if it doesn't have these languages. `onDownload` is called with the part of a
 * language that was downloaded, 0 to 1, the first time that it is needed.
 */
export async function translateInBrowser(
  texts: readonly string[],
  languages: Languages,
  { onDownload, signal }: { onDownload: (share: number) => void; signal?: AbortSignal },
): Promise<string[] | null> {
  const api = translatorApi();
  if (!api || !(await hasLanguages(api, languages))) return null;
  const translator = await api.create({
    ...languages,
    signal,
    monitor: (monitor) => monitor.addEventListener("downloadprogress", ({ loaded }) => onDownload(loaded)),
  });
  try {
    const translated: string[] = [];
    // One after the other: the browser translates one text at a time.
    for (const text of texts) {
      signal?.throwIfAborted();
      translated.push(text.trim() === "" ? text : await translator.translate(text));
    }
    return translated;
  } finally {
    translator.destroy();
  }
}
