import clsx from "clsx";
import { ImageWithFallback } from "@/components/ui/image-with-fallback";

/** The picture of a form's subject; the first letter of its name if there is none or it can't be loaded. */
export function SubjectPicture({ name, src }: { name: string; src: string | null }) {
  const shape = "size-20 shrink-0 overflow-hidden rounded-control sm:size-28";
  const letter = (
    <span
      aria-hidden="true"
      className={clsx(shape, "grid place-items-center bg-sunken text-3xl font-semibold text-muted")}
    >
      {Array.from(name)[0]?.toUpperCase()}
    </span>
  );
  if (!src) return letter;
  return (
    <ImageWithFallback
      src={src}
      alt=""
      width={112}
      height={112}
      referrerPolicy="no-referrer"
      fallback={letter}
      className={clsx(shape, "border border-line bg-white object-contain")}
    />
  );
}
