import clsx from "clsx";
import { Package } from "lucide-react";
import { ImageWithFallback as Loaded } from "@/components/ui/image-with-fallback";

/** A product's picture from the store, in a square of fixed size. */
export function ProductImage({ src, large = false }: { src: string | null; large?: boolean }) {
  const none = <Package aria-hidden="true" className="size-5" />;
  return (
    <span
      className={clsx(
        "flex shrink-0 items-center justify-center overflow-hidden rounded-control border border-line bg-sunken text-muted",
        large ? "size-28" : "size-11 in-data-[rows=compact]:size-9",
      )}
    >
      {src === null ? (
        none
      ) : (
        <Loaded
          src={src}
          alt=""
          loading="lazy"
          referrerPolicy="no-referrer"
          fallback={none}
          className="size-full object-cover"
        />
      )}
    </span>
  );
}
