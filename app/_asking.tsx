import type { ReactNode } from "react";
import { speaking } from "@/app/_words";
import { Queries } from "@/components/portal/queries";
import type { RoomName } from "@/lib/platform/i18n/rooms";

/** The layout of a part of the portal whose components ask the service, and say what these rooms say. */
export function asking(...rooms: RoomName[]) {
  const Speaking = speaking(...rooms);
  return function Asking({ children }: { children: ReactNode }) {
    return (
      <Queries>
        <Speaking>{children}</Speaking>
      </Queries>
    );
  };
}
