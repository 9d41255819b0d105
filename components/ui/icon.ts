import { type ComponentProps, createElement, type FunctionComponent } from "react";

/** A path as its text, any other shape with its attributes. */
type Shape =
  | string
  | [tag: "path" | "circle" | "ellipse" | "line" | "polygon" | "polyline" | "rect", attributes: object];

const look = {
  xmlns: "http://www.w3.org/2000/svg",
  width: 24,
  height: 24,
  viewBox: "0 0 24 24",
  fill: "none",
  stroke: "currentColor",
  strokeWidth: 2,
  strokeLinecap: "round",
  strokeLinejoin: "round",
} as const;

/**
 * What an icon takes: how it stands in its place (`className`), and a name where it has one. Its lines are its own, so there is
 * nothing to put into it.
 */
export type IconProps = Omit<ComponentProps<"svg">, "children" | "dangerouslySetInnerHTML">;
export type Icon = FunctionComponent<IconProps>;

/**
 * What `import { Search } from "lucide-react"` is in the pages: .config/icon-loader.cjs puts it in the place of the package's
 * own. One without a name of its own is hidden from assistive technology.
 */
export function icon(shapes: readonly Shape[]): Icon {
  const drawn = shapes.map(draw);
  return function Drawn(props) {
    const hidden = props["aria-label"] === undefined || undefined;
    return createElement("svg", { ...look, "aria-hidden": hidden, ...props }, ...drawn);
  };
}

const draw = (shape: Shape) =>
  typeof shape === "string" ? createElement("path", { d: shape }) : createElement(...shape);
