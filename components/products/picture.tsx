import clsx from "clsx";
import { Package } from "lucide-react";

/** A product's picture from the shop, in a square that keeps its room. */
export function Picture({ src, large = false }: { src: string | null; large?: boolean }) {
  return (
    <span
      className={clsx(
        "flex shrink-0 items-center justify-center overflow-hidden rounded-control border border-line bg-sunken text-muted",
        large ? "size-28" : "size-11",
      )}
    >
      {src === null ? (
        <Package aria-hidden="true" className="size-5" />
      ) : (
        // biome-ignore lint/performance/noImgElement: the shop's own picture at its own address
        <img src={src} alt="" loading="lazy" referrerPolicy="no-referrer" className="size-full object-cover" />
      )}
    </span>
  );
}
