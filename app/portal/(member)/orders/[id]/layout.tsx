import type { ReactNode } from "react";
import { Queries } from "@/components/portal/queries";

export default function OrderLayout({ children }: { children: ReactNode }) {
  return <Queries>{children}</Queries>;
}
