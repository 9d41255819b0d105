import { encode } from "uqr";

/** Modules around it that stay light, as the standard says: a dark dialog would otherwise hide its edge. */
const MARGIN = 4;

/** A text as a QR code. Dark on light in both color schemes, since many cameras can't read the inverse. */
export function QrCode({ text, label }: { text: string; label: string }) {
  const { data, size } = encode(text, { ecc: "M", border: 0 });
  const path = data
    .flatMap((row, y) => row.flatMap((dark, x) => (dark ? [`M${x + MARGIN} ${y + MARGIN}h1v1h-1z`] : [])))
    .join("");
  const side = size + 2 * MARGIN;
  return (
    <svg role="img" aria-label={label} viewBox={`0 0 ${side} ${side}`} className="size-48" shapeRendering="crispEdges">
      <rect width={side} height={side} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  );
}
