import clsx from "clsx";

/** The picture of what a form is about; the first letter of its name where there is none. */
export function SubjectPicture({ name, src }: { name: string; src: string | null }) {
  const shape = "size-20 shrink-0 overflow-hidden rounded-control sm:size-28";
  if (!src) {
    return (
      <span
        aria-hidden="true"
        className={clsx(shape, "grid place-items-center bg-sunken text-3xl font-semibold text-muted")}
      >
        {Array.from(name)[0]?.toUpperCase()}
      </span>
    );
  }
  return (
    // biome-ignore lint/performance/noImgElement: the shop's own picture at its own address
    <img
      src={src}
      alt=""
      width={112}
      height={112}
      referrerPolicy="no-referrer"
      className={clsx(shape, "border border-line bg-white object-contain")}
    />
  );
}
