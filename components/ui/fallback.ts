/** For the second half of an import: in the place of what can't be loaded. */
export const fallback =
  <T>(standIn: T) =>
  (error: unknown): T => {
    console.error(error);
    return standIn;
  };
