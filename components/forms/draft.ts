// What was typed into a form, kept in this tab until it is sent: a telephone drops pages that are out of sight, and
// somebody reloads. Nothing of it leaves the tab, and it goes with it.

const key = () => `draft:${location.pathname}${location.search}`;

/** The tab's storage; browsers that are told to keep nothing refuse even to name it. */
function storage(): Storage | null {
  try {
    return sessionStorage;
  } catch {
    return null;
  }
}

/** Remembers what the form's controls say; photos are not part of it. */
export function saveDraft(form: HTMLFormElement): void {
  const entries = [...new FormData(form)].filter(
    ([name, value]) => typeof value === "string" && !name.startsWith("$") && !name.endsWith(".images"),
  );
  try {
    storage()?.setItem(key(), JSON.stringify(entries));
  } catch (error) {
    // Sixty thousand characters a dozen times over may not fit: then the last that fitted stays.
    if (!(error instanceof DOMException)) throw error;
  }
}

/** Puts what was remembered back into the form's controls. */
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

/** Forgets it: it was sent. */
export const clearDraft = (): void => storage()?.removeItem(key());
