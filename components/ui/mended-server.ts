import type { ReactNode } from "react";

/** What `#mended` is on the server: what is drawn there alone is changed nowhere. */
export const useMended = (error: ReactNode): { error: ReactNode; onInput: undefined } => ({
  error,
  onInput: undefined,
});
