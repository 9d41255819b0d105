import { useSyncExternalStore } from "react";

const noChanges = () => () => {};

/** Whether shortcuts use the Command key. False on the server. */
export const useIsMac = (): boolean =>
  useSyncExternalStore(
    noChanges,
    () => /Mac|iPhone|iPad/.test(navigator.platform),
    () => false,
  );
