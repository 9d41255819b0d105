// Stores what was typed into a form in this tab until it is sent, because phones discard pages in the background and
// people reload. The data never leaves the tab and is deleted with it.

/** What a page that frames the form may set differently each time. */
const FRAME_PARAMS = ["noheader", "messageid", "url"];

function key(): string {
  const query = new URLSearchParams(location.search);
  for (const name of FRAME_PARAMS) query.delete(name);
  return `draft:${location.pathname}?${query}`;
}

/** The tab's storage; null if the browser blocks access to it. */
function storage(): Storage | null {
  try {
    return sessionStorage;
  } catch {
    return null;
  }
}

/** Stores the values of the form's controls, except photos. */
export function saveDraft(form: HTMLFormElement): void {
  const entries = [...new FormData(form)].filter(
    ([name, value]) => typeof value === "string" && !name.startsWith("$") && !name.endsWith(".images"),
  );
  try {
    storage()?.setItem(key(), JSON.stringify(entries));
  } catch (error) {
    // If the storage quota is exceeded, the last draft that fit stays.
    if (!(error instanceof DOMException)) throw error;
  }
}

/** Puts the stored values back into the form's controls. */
export function restoreDraft(form: HTMLFormElement): void {
  const stored = storage()?.getItem(key());
  if (!stored) return;
  const values = new Map<string, string[]>();
  for (const [name, value] of JSON.parse(stored) as [string, string][])
    values.set(name, [...(values.get(name) ?? []), value]);
  for (const control of form.elements) {
    if (control instanceof HTMLTextAreaElement) control.value = values.get(control.name)?.shift() ?? control.value;
    else if (!(control instanceof HTMLInputElement) || !control.name || control.name.endsWith(".images")) continue;
    else if (control.type === "checkbox" || control.type === "radio")
      control.checked = values.get(control.name)?.includes(control.value) ?? false;
    else if (control.type !== "file" && control.type !== "hidden")
      control.value = values.get(control.name)?.shift() ?? control.value;
  }
}

/** Deletes the draft after it was sent. */
export const clearDraft = (): void => storage()?.removeItem(key());
