"use client";

import { ImageOff } from "lucide-react";
import { type ComponentProps, type ReactNode, useEffect, useRef, useState } from "react";

type Props = Omit<ComponentProps<"img">, "src" | "alt" | "onError"> & {
  src: string;
  alt: string;
  /** shown if the image can't be loaded */
  fallback?: ReactNode;
};

export function ImageWithFallback({ src, alt, fallback, className, ...rest }: Props) {
  const [failed, setFailed] = useState<string | null>(null);
  const image = useRef<HTMLImageElement>(null);
  useEffect(() => {
    // It may have failed before this script ran.
    if (image.current?.complete && image.current.naturalWidth === 0) setFailed(src);
  }, [src]);
  if (failed !== src)
    return (
      // biome-ignore lint/performance/noImgElement: images of stores, and ours, have the size in which they are shown
      <img ref={image} {...rest} src={src} alt={alt} className={className} onError={() => setFailed(src)} />
    );
  if (fallback !== undefined) return fallback;
  return (
    <span
      {...(alt === "" ? { "aria-hidden": true } : { role: "img", "aria-label": alt })}
      className={`${className ?? ""} grid min-h-10 min-w-10 place-items-center bg-sunken text-muted`}
    >
      <ImageOff aria-hidden="true" className="size-5" />
    </span>
  );
}
