/** The box around segments: buttons, links or radio buttons of which one is current. */
export const segmentsClass = "rounded-control bg-sunken p-0.5";

/** A segment. It is current if it is pressed, selected, checked, or has `aria-current`. */
export const segmentClass = [
  "flex h-9 items-center rounded-[0.4rem] px-3 text-sm font-medium text-muted hover:text-ink lg:h-8",
  "aria-pressed:bg-lifted aria-pressed:text-ink aria-pressed:shadow-raised",
  "aria-selected:bg-lifted aria-selected:text-ink aria-selected:shadow-raised",
  "aria-[current]:bg-lifted aria-[current]:text-ink aria-[current]:shadow-raised",
  "has-checked:bg-lifted has-checked:text-ink has-checked:shadow-raised",
].join(" ");
