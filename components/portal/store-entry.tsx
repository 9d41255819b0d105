import { Check } from "lucide-react";
import type { Store } from "@/components/portal/stores-query";

/** A store in a menu. */
export const StoreEntry = ({ store: { id, display_name }, isCurrent }: { store: Store; isCurrent: boolean }) => (
  <>
    <span className="min-w-0 flex-1">
      <span className="block truncate">{display_name}</span>
      {display_name !== id && <span className="block truncate text-xs text-muted">{id}</span>}
    </span>
    {isCurrent && <Check aria-hidden="true" className="size-4 shrink-0 text-accent" />}
  </>
);
