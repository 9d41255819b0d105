import { Check } from "lucide-react";
import type { ReactNode } from "react";
import { FrameMessages } from "@/components/forms/frame-messages";
import { ImageWithFallback } from "@/components/ui/image-with-fallback";
import type { FormFrame } from "@/lib/forms/schema";

type Shop = { name: string; logo: string | null; url: string | null; mark: string | null };

type PublicPageProps = {
  lang: string;
  shop: Shop | null;
  /** for pages that a store may frame */
  frame?: FormFrame & { isSubmitted: boolean };
  children: ReactNode;
};

/**
 * The layout of a page for a store's customers: the store's name or logo, and the content. In a store's frame it is as
 * high as its content, and its links leave the frame.
 */
export function PublicPage({ lang, shop, frame, children }: PublicPageProps) {
  const name = <span className="text-xl font-semibold">{shop?.name}</span>;
  const brand = shop?.logo ? (
    <ImageWithFallback
      src={shop.logo}
      alt={shop.name}
      referrerPolicy="no-referrer"
      fallback={name}
      className="max-h-12 max-w-60 object-contain"
    />
  ) : (
    name
  );
  return (
    <main
      lang={lang}
      className="mx-auto flex min-h-dvh max-w-2xl flex-col gap-8 px-4 py-8 in-data-framed:min-h-0 sm:py-12"
    >
      {frame && (
        <FrameMessages ancestors={frame.ancestors} messageId={frame.messageId} isSubmitted={frame.isSubmitted} />
      )}
      {shop?.mark && (
        <p className="mx-auto -mb-4 rounded-full bg-warn-soft px-3 py-0.5 text-sm font-semibold text-warn">
          {shop.mark}
        </p>
      )}
      {shop && frame?.hasHeader !== false && (
        <p className="flex justify-center">
          {shop.url ? (
            <a href={shop.url} target="_top" rel="noreferrer">
              {brand}
            </a>
          ) : (
            brand
          )}
        </p>
      )}
      {children}
    </main>
  );
}

export function PublicHeader({ title, text }: { title: string; text: string }) {
  return (
    <header className="text-center">
      <h1 className="mb-2 text-2xl font-semibold sm:text-3xl">{title}</h1>
      <p className="mx-auto max-w-lg text-balance text-muted">{text}</p>
    </header>
  );
}

type Message = {
  title: string;
  text: string;
  /** whether something was completed */
  mark?: "done" | undefined;
  children?: ReactNode;
};

/** A page with only a message: heading, text and optional links. */
export function PublicMessage({ title, text, mark, children }: Message) {
  return (
    <section className="my-auto rounded-card border border-line bg-raised px-6 py-12 text-center shadow-raised sm:px-12">
      {mark && (
        <span className="mx-auto mb-5 grid size-14 place-items-center rounded-full bg-good-soft text-good">
          <Check className="size-7" aria-hidden="true" />
        </span>
      )}
      <h1 className="mb-3 text-2xl font-semibold">{title}</h1>
      <p className="mx-auto max-w-md text-muted">{text}</p>
      {children && <div className="mt-8 flex flex-col items-center gap-3">{children}</div>}
    </section>
  );
}
