import type { ReactNode } from "react";
import { Breadcrumbs, type Crumb } from "@/components/portal/breadcrumbs";
import { PageHead } from "@/components/portal/page-head";
import { Badge, type Tone } from "@/components/ui/badge";

type Props = {
  title: string;
  state?: { word: string; tone: Tone };
  /** the pages above this one, with the list of integrations first */
  trail: Crumb[];
  /** its name there, if not the title */
  current?: string;
  tools?: ReactNode;
  children?: ReactNode;
};

/** The header of an integration's page. */
export function SystemHead({ title, state, trail, current = title, tools, children }: Props) {
  return (
    <>
      <Breadcrumbs trail={trail} current={current} />
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
