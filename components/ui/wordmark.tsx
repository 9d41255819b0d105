/** The product's name with its logo: a speech bubble with a star. */
export function Wordmark({ large = false }: { large?: boolean }) {
  return (
    <span className={`inline-flex items-center gap-2 font-semibold tracking-tight ${large ? "text-xl" : "text-lg"}`}>
      <svg viewBox="0 0 24 24" aria-hidden="true" className={large ? "size-8" : "size-6"}>
        <path
          className="fill-accent"
          d="M12 1.5c6 0 10.5 4 10.5 9.2S18 20 12 20c-1 0-2-.1-2.9-.4L4 22.4c-.5.3-1-.1-.9-.6l.9-4.3C2.4 15.8 1.5 13.4 1.5 10.7 1.5 5.5 6 1.5 12 1.5z"
        />
        <path
          className="fill-surface"
          d="M12 5.6l1.6 3.25 3.6.52-2.6 2.53.61 3.57L12 13.78l-3.21 1.69.61-3.57-2.6-2.53 3.6-.52z"
        />
      </svg>
      Candor
    </span>
  );
}
