import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { allGuides, readGuide } from "../_guide";
import "../guide.css";

type Props = { params: Promise<{ name: string }> };

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const guide = await readGuide((await params).name);
  return { title: guide?.title, description: guide?.summary };
}

export default async function GuidePage({ params }: Props) {
  const guide = await readGuide((await params).name);
  if (!guide) notFound();
  const others = await allGuides();
  return (
    <div className="mx-auto w-full max-w-6xl px-4 sm:px-6 lg:grid lg:grid-cols-[12rem_minmax(0,1fr)] lg:gap-12">
      <nav aria-label="Guides" className="hidden lg:block">
        <ul className="sticky top-14 space-y-2 py-10 text-sm">
          {others.map(({ name, title }) => (
            <li key={name}>
              <a
                href={`/docs/guides/${name}`}
                aria-current={name === guide.name ? "page" : undefined}
                className="text-muted hover:text-ink aria-[current]:font-medium aria-[current]:text-ink"
              >
                {title}
              </a>
            </li>
          ))}
        </ul>
      </nav>
      <main className="min-w-0 py-8 sm:py-10">
        {/* biome-ignore lint/security/noDangerouslySetInnerHtml: made from files of this repository */}
        <article className="guide" dangerouslySetInnerHTML={{ __html: guide.html }} />
      </main>
    </div>
  );
}
