"use client";

/** What a person sees where a page, or what stands around it, could not be made. It comes with every page, so it brings nothing. */
export default function PageError({ reset }: { error: Error; reset: () => void }) {
  return (
    <main lang="en" className="grid min-h-dvh place-items-center px-6 text-center">
      {/* Where nothing could be made, neither could a title. */}
      <title>This page couldn’t be loaded</title>
      <div className="flex max-w-md flex-col items-center gap-3">
        <h1 className="text-lg font-semibold">This page couldn’t be loaded</h1>
        <p className="text-muted">The server may be busy or starting. Nothing was changed.</p>
        <button
          type="button"
          className="mt-2 h-10 rounded-control bg-accent px-4 text-sm font-medium text-on-solid hover:brightness-110"
          onClick={reset}
        >
          Try again
        </button>
      </div>
    </main>
  );
}
