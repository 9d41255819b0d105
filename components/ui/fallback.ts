/** For an import's catch: logs the error and returns the replacement. */
export const fallback =
  <T>(replacement: T) =>
  (error: unknown): T => {
    console.error(error);
    return replacement;
  };
