import type { ReactNode } from "react";
import { PageHead } from "@/components/portal/page-head";
import { Badge, type Tone } from "@/components/ui/badge";
import { Link } from "@/components/ui/link";

type Props = {
  title: string;
  state?: { word: string; tone: Tone };
  /** the page that links here, with its name */
  back: { href: string; name: string };
  tools?: ReactNode;
  children?: ReactNode;
};

/** The header of an integration's page. */
export function SystemHead({ title, state, back, tools, children }: Props) {
  return (
    <>
      <p className="mb-4 text-sm">
        <Link className="link" href={back.href}>
          {back.name}
        </Link>
      </p>
      <PageHead
        title={
          <span className="flex flex-wrap items-center gap-3">
            <span className="[overflow-wrap:anywhere]">{title}</span>
            {state && <Badge tone={state.tone}>{state.word}</Badge>}
          </span>
        }
        tools={tools}
      >
        {children}
      </PageHead>
    </>
  );
}
