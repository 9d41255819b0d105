/** Waits until the page's HTML has been read. */
export const parsed = async (): Promise<void> => {
  if (document.readyState === "loading") await new Promise((go) => addEventListener("DOMContentLoaded", go));
};
