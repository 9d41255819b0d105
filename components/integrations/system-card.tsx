import type { ReactNode } from "react";
import { Badge, type Tone } from "@/components/ui/badge";
import { Link } from "@/components/ui/link";

type Props = {
  icon: ReactNode;
  title: string;
  /** its own page, for people who may see it */
  href: string | null;
  state?: { word: string; tone: Tone };
  /** shown at the end of the card */
  tools?: ReactNode;
  /** what stops it from working */
  issues?: ReactNode;
  /** its state, in a sentence */
  children: ReactNode;
};

/** A system in a list, connected or not, with its state. */
export function SystemCard({ icon, title, href, state, tools, issues, children }: Props) {
  return (
    <li className="rounded-card border border-line bg-raised p-4 shadow-raised sm:p-5">
      <div className="flex flex-wrap items-start gap-x-4 gap-y-3">
        <span className="flex size-10 shrink-0 items-center justify-center rounded-full bg-sunken text-muted *:size-5">
          {icon}
        </span>
        <div className="min-w-48 flex-1">
          <div className="flex flex-wrap items-center gap-x-2.5 gap-y-1">
            <h3 className="min-w-0 font-semibold break-words [overflow-wrap:anywhere]">
              {href === null ? (
                title
              ) : (
                <Link href={href} className="hover:underline">
                  {title}
                </Link>
              )}
            </h3>
            {state && <Badge tone={state.tone}>{state.word}</Badge>}
          </div>
          <p className="mt-1 max-w-prose text-sm break-words text-muted">{children}</p>
        </div>
        {tools}
      </div>
      {issues}
    </li>
  );
}
