import type { ReactNode } from "react";
import { ForgetTab } from "@/components/portal/forget-tab";
import { Wordmark } from "@/components/ui/wordmark";

type Props = {
  title: string;
  children: ReactNode;
  below?: ReactNode;
  /** language selection */
  languages: ReactNode;
};

/** The layout of the pages before sign-in. */
export function SignInLayout({ title, children, below, languages }: Props) {
  return (
    <main className="grid min-h-dvh place-items-center px-4 py-12">
      <ForgetTab />
      <div className="w-full max-w-sm">
        <div className="mb-8 flex justify-center">
          <Wordmark large />
        </div>
        <div className="rounded-card border border-line bg-raised p-6 shadow-raised sm:p-8">
          <h1 className="mb-6 text-xl font-semibold">{title}</h1>
          {children}
        </div>
        {below && <p className="mt-6 text-center text-sm text-muted">{below}</p>}
        <div className="mt-6">{languages}</div>
      </div>
    </main>
  );
}
