/** For the second half of an import: in the place of what can't be loaded. */
export const fallback =
  <T>(replacement: T) =>
  (error: unknown): T => {
    console.error(error);
    return replacement;
  };
