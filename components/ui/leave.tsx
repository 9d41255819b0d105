"use client";

import { useRouter } from "next/navigation";
import { createContext, type ReactNode, useCallback, useContext, useLayoutEffect, useTransition } from "react";

type Leave = (href: string) => void;

const LeaveContext = createContext<Leave | null>(null);

let isOnItsWay = false;

/** Whether another page of the portal was asked for and is on its way, while this one still stands there. */
export const isLeaving = (): boolean => isOnItsWay;

/** Stands around every page, so that it knows of a page on its way also where the link to it went with its menu. */
export function Leaving({ children }: { children: ReactNode }) {
  const router = useRouter();
  const [isAsked, start] = useTransition();
  useLayoutEffect(() => {
    isOnItsWay = isAsked;
    return () => {
      isOnItsWay = false;
    };
  }, [isAsked]);
  const leave = useCallback<Leave>((href) => start(() => router.push(href)), [router]);
  return <LeaveContext value={leave}>{children}</LeaveContext>;
}

/** Leads to another page of the portal: the page around it stays. */
export function useLeave(): Leave {
  const leave = useContext(LeaveContext);
  if (!leave) throw new Error("useLeave needs a Leaving around it");
  return leave;
}
