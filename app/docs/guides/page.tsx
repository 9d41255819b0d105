import type { Metadata } from "next";
import { allGuides } from "./_guide";

export const metadata: Metadata = { title: "Guides" };

export default async function GuidesPage() {
  return (
    <main className="mx-auto w-full max-w-4xl px-4 py-8 sm:px-6 sm:py-10">
      <h1 className="text-3xl font-semibold">Guides</h1>
      <ul className="mt-8 grid gap-4 sm:grid-cols-2">
        {(await allGuides()).map(({ name, title, summary }) => (
          <li key={name}>
            <a
              href={`/docs/guides/${name}`}
              className="block h-full rounded-card border bg-raised p-5 shadow-raised hover:border-edge"
            >
              <h2 className="text-lg font-semibold">{title}</h2>
              <p className="mt-1 text-muted">{summary}</p>
            </a>
          </li>
        ))}
      </ul>
    </main>
  );
}
